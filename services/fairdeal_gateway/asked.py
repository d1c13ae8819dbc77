"""What stands in a request's query, read strictly: each name at most once, a number as a number."""

import re
from typing import Any, Final, get_args

from litestar import Request

from fairdeal.directory import Status
from fairdeal_gateway.problems import malformed

Asked = Request[Any, Any, Any]

_NUMBER: Final = re.compile(r"[0-9]{1,16}")
_MOST: Final = 2**53


def text(request: Asked, name: str) -> str | None:
    """One value of the query, if it is there. Raises `Refused` for two of them."""
    values: list[str] = request.query_params.getall(name, [])
    if len(values) > 1:
        raise malformed(f"`{name}` stands there {len(values)} times", name)
    return values[0] if values else None


def number(request: Asked, name: str, least: int, most: int = _MOST) -> int | None:
    """A whole number of the query, if it is there. Raises `Refused` for what is none or is out of bounds."""
    value = text(request, name)
    return None if value is None else bounded(value, name, least, most)


def bounded(value: str, name: str, least: int, most: int = _MOST) -> int:
    """A whole number. Raises `Refused` for what is none or is out of bounds."""
    if not _NUMBER.fullmatch(value) or not least <= int(value) <= most:
        raise malformed(f"`{name}` is a whole number from {least} to {most}", name)
    return int(value)


def status(request: Asked) -> Status | None:
    """The state of games that is asked for, if any. Raises `Refused` for one that there is not."""
    value = text(request, "status")
    for known in get_args(Status):
        if value == known:
            found: Status = known
            return found
    if value is not None:
        raise malformed(f"A status is one of {', '.join(get_args(Status))}", "status")
    return None
