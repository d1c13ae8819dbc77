"""A game as one file that holds all of its truth: for the audit, for replays elsewhere, for the archive.

NDJSON: a header, one line a commit with its hash and its very bytes as a JSON string, the stored views if
there are any, and an end line with the SHA-256 of every byte before it.
"""

import hashlib
from collections.abc import Mapping, Sequence
from time import time
from typing import Any

import msgspec

from fairdeal.codec import encode_json
from fairdeal.export import FORMAT, CommitLine, EndLine, Header, ViewsLine
from fairdeal.wire import ARCHIVED, Keys, partition_of
from fairdeal_views.logs import Body, read_log


class _Opening(msgspec.Struct):
    events: list[dict[str, Any]]


_decode_opening = msgspec.json.Decoder(_Opening).decode


def write_export(
    namespace: str,
    game: str,
    commits: Sequence[tuple[int, str, bytes]],
    views: Mapping[str, str] | None,
    exported_at_ms: int,
) -> bytes:
    """The export of a game: commits as (version, hash in hex, JSON bytes), views as they are stored.

    Equal arguments give equal bytes. It judges nothing: a damaged log is exported as it is, except that
    bytes which are no UTF-8 become U+FFFD, which the hash then shows.
    """
    lines: list[Any] = [Header(FORMAT, namespace, game, _ruleset(commits), len(commits), exported_at_ms)]
    lines += (CommitLine(version, hash, body.decode(errors="replace")) for version, hash, body in commits)
    if views:
        lines.append(ViewsLine({name: views[name] for name in sorted(views, key=_view_order)}))
    text = b"".join(encode_json(line) + b"\n" for line in lines)
    return text + encode_json(EndLine(end=True, sha256=hashlib.sha256(text).hexdigest())) + b"\n"


async def export_game(redis: Any, namespace: str, partitions: int, game: str) -> bytes:
    """The export of a game that is in Redis, as `write_export` makes it.

    Raises LookupError when there is no such game or it is archived, redis.exceptions.RedisError.
    """
    keys = Keys(namespace, partition_of(game, partitions))
    # The views first: what they show is then in the log that is read after them.
    stored = await redis.hgetall(keys.view(game))
    log = await read_log(redis, keys, game)
    if not log:
        if await redis.hexists(keys.receipts(game), ARCHIVED):
            raise LookupError(
                f"The game {game!r} is in the archive: take {archived_name(namespace, partitions, game)} "
                "in the folder that FAIRDEAL_ARCHIVE names"
            )
        raise LookupError(f"There is no game {game!r} in {namespace!r}")
    return export_now(namespace, game, log, stored)


def export_now(namespace: str, game: str, log: Sequence[Body], stored: Mapping[bytes, bytes]) -> bytes:
    """The export of what was read of a game: its log, and the hash of its views."""
    commits = [(version, hash.decode(errors="replace"), body) for version, body, hash in log]
    views = {name.decode(errors="replace"): part.decode(errors="replace") for name, part in stored.items()}
    return write_export(namespace, game, commits, views, int(time() * 1000))


def archived_name(namespace: str, partitions: int, game: str) -> str:
    """Where a game's export is, within the archive's folder."""
    return f"{namespace}/{partition_of(game, partitions)}/{game}.ndjson"


def _ruleset(commits: Sequence[tuple[int, str, bytes]]) -> str:
    """The ruleset that the first commit names; empty when it cannot be read."""
    try:
        return str(_decode_opening(commits[0][2]).events[0]["ruleset"])
    except (LookupError, msgspec.MsgspecError, UnicodeDecodeError):
        return ""


def _view_order(name: str) -> tuple[int, int, str]:
    """`version`, `fold`, `table`, then the seats by number."""
    first = ("version", "fold", "table")
    if name in first:
        return (0, first.index(name), name)
    number = name.removeprefix("seat:")
    return (1, int(number) if number.isdigit() else 0, name)
