"""What is told when something cannot be done: problem details (RFC 9457) with fairdeal's own codes."""

from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import msgspec
from redis.exceptions import RedisClusterException, RedisError

from fairdeal.client.errors import (
    Busy,
    ClientClosed,
    ClientError,
    CommandFailed,
    NoReceipt,
    UnknownGame,
)
from fairdeal.codec import encode_json, fault, short
from fairdeal.receipt import Receipt, Rejected

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

CONTENT_TYPE: Final = "application/problem+json"

RETRY_S: Final = 2
"""When to try again what was impossible for the moment, seconds."""

TITLES: Final = {
    400: "The request is malformed",
    401: "No valid token",
    403: "This token does not allow it",
    404: "Not found",
    405: "That cannot be done here",
    408: "Too slow",
    409: "Not possible as the game stands",
    413: "Too large",
    422: "Understood, and not valid",
    429: "Too many requests",
    500: "The service failed",
    503: "Not possible for the moment",
}

_STATUS: Final = {
    "malformed": 400,
    "unknown_game": 404,
    "too_large": 413,
    "bad_options": 422,
    "bad_players": 422,
    "unknown_ruleset": 422,
    "unknown_action": 422,
}


class ProblemDetails(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why something was not done. `type` is `urn:fairdeal:<code>`; `path` names the field at fault."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    path: str | None = None
    details: dict[str, Any] | None = None
    incident: str | None = None


class Refused(Exception):
    """A request that is answered with problem details."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        path: str | None = None,
        details: dict[str, Any] | None = None,
        incident: str | None = None,
        retry_s: int | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.retry_s = retry_s if retry_s is not None or status != 503 else RETRY_S
        self.problem = ProblemDetails(
            type=f"urn:fairdeal:{code}",
            title=TITLES.get(status, "Not done"),
            status=status,
            detail=detail,
            code=code,
            path=path,
            details=details or None,
            incident=incident,
        )

    @property
    def headers(self) -> dict[str, str]:
        """What belongs to the answer besides its body."""
        headers = {}
        if self.retry_s is not None:
            headers["Retry-After"] = str(self.retry_s)
        if self.problem.status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        return headers

    @property
    def body(self) -> bytes:
        return encode_json(self.problem)


def malformed(detail: str, path: str | None = None) -> Refused:
    """The request itself cannot be understood."""
    return Refused(400, "malformed", detail, path=path)


def unknown_game(game: str) -> Refused:
    """There is no such game, as far as this token may know."""
    return Refused(
        404, "unknown_game", f"There is no game {game!r}: it was not created, or it has moved to the archive"
    )


def no_such_seat(game: str, seat: int) -> Refused:
    """This game has fewer seats."""
    return Refused(404, "not_seated", f"There is no seat {seat} in game {game!r}")


def refusal_of(error: Exception) -> Refused | None:
    """What is answered to an error of the layers below; None for one that nobody expects."""
    match error:
        case Refused():
            return error
        case Rejected():
            return _rejected(error.receipt, error)
        case CommandFailed():
            receipt = error.receipt
            return Refused(
                500,
                receipt.code or "internal",
                "The service failed at this command; the game is unchanged",
                incident=receipt.incident,
            )
        case UnknownGame():
            return unknown_game(error.game)
        case NoReceipt():
            detail = "No receipt came in time. Sending it again with the same Idempotency-Key is safe"
            return Refused(503, "timeout", detail)
        case Busy():
            return Refused(
                503, "busy", "The service is full and took nothing: try again later, with the same key"
            )
        case ClientClosed():
            return Refused(503, "stopping", "This gateway is stopping: try again")
        case ClientError() | RedisError() | RedisClusterException():
            return Refused(503, "unreachable", "The service cannot be reached: try again later")
    return None


def refused_for(error: Exception, event: str, log: "FilteringBoundLogger") -> Refused:
    """What is answered to any error; one that nobody expects is logged as `event`, with the incident that is told."""
    refused = refusal_of(error)
    if refused is None:
        incident = uuid4().hex
        log.error(event, incident=incident, exc_info=error)
        refused = Refused(500, "internal", "The gateway failed at this request", incident=incident)
    return refused


def _rejected(receipt: Receipt | None, error: Rejected) -> Refused:
    details = dict(error.details)
    path = details.pop("path", None)
    status = _STATUS.get(error.code, 422 if receipt is not None and receipt.status == "invalid" else 409)
    return Refused(status, error.code, error.message, path=path, details=details)


def decoded(decoder: msgspec.json.Decoder[Any], body: bytes) -> Any:
    """A request's body as a record. Raises `Refused`: `malformed` with the path, `unknown_action`."""
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        message, path = fault(error)
        if path == "$.action.type":
            raise Refused(422, "unknown_action", short(message), path=path) from None
        raise malformed(short(message), path) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise malformed(short(reason), "$") from None
