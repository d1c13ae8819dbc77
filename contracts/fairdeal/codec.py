"""Bytes in, records out: the command's body, bare JSON or in FastStream's binary envelope; commits; receipts."""

import re
from typing import Final

import msgspec

from fairdeal.commit import Commit
from fairdeal.envelope import Command
from fairdeal.faults import fault as fault
from fairdeal.receipt import Receipt
from fairdeal.wire import is_command_id, is_game_id

MAX_BODY: Final = 64 * 1024
"""The longest body of a command in bytes; a longer one is `too_large`."""

MAX_MESSAGE: Final = 300
"""The most characters of a fault's message: it may quote the sender, and the receipt keeps it."""

_ENVELOPE: Final = b"\x89BIN\x0d\x0a\x1a\x0a"

encode_json = msgspec.json.Encoder().encode
decode_command_json = msgspec.json.Decoder(Command).decode
decode_commit = msgspec.json.Decoder(Commit).decode
"""A commit from its JSON bytes. Raises msgspec.ValidationError, msgspec.DecodeError."""
decode_receipt = msgspec.json.Decoder(Receipt).decode


class Malformed(Exception):
    """A body that is no command: `code` (`malformed`, `too_large`, `unknown_action`), `path`, `message`.

    `command`, `game` and `reply_to` are what could be read all the same, so that the sender can be told.
    """

    def __init__(
        self,
        code: str,
        path: str,
        message: str,
        command: str | None = None,
        game: str | None = None,
        reply_to: str | None = None,
    ) -> None:
        super().__init__(f"{code} at {path}: {message}")
        self.code = code
        self.path = path
        self.message = message
        self.command = command
        self.game = game
        self.reply_to = reply_to


def open_envelope(data: bytes) -> bytes:
    """The JSON body of an entry's `__data__`: as it is, or taken out of FastStream's binary envelope (v1)."""
    if data[:8] != _ENVELOPE:
        return data
    start = int.from_bytes(data[14:18], "big")
    return data[start:]


def decode_command(data: bytes, most: int = MAX_BODY) -> Command:
    """The command in an entry's `__data__`. Raises `Malformed` for anything else, whatever the bytes are."""
    body = open_envelope(data) if data[:1] == b"\x89" else data
    if len(body) > most:
        raise _malformed("too_large", "$", f"The body has {len(body)} bytes, the most is {most}", body)
    try:
        return decode_command_json(body)
    except msgspec.ValidationError as error:
        message, path = fault(error)
        if path == "$.action.type":
            raise _malformed("unknown_action", path, message, body) from None
        raise _malformed("malformed", path, message, body) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise _malformed("malformed", "$", reason, body) from None


class _Header(msgspec.Struct):
    id: str | None = None
    game: str | None = None
    reply_to: str | None = None


_decode_header = msgspec.json.Decoder(_Header).decode
# An unfinished text is a token too: no part of it is ever looked at again, so the search stays linear.
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[{}\[\]:,]', re.DOTALL)


def short(message: str) -> str:
    """A message of a receipt, cut to what a receipt may hold: it may quote what a sender wrote."""
    return message if len(message) <= MAX_MESSAGE else message[: MAX_MESSAGE - 1] + "…"


def _malformed(code: str, path: str, message: str, body: bytes) -> Malformed:
    try:
        header = _decode_header(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError):
        header = _salvage(body[:MAX_BODY])
    return Malformed(
        code,
        path,
        short(message),
        command=header.id if header.id and is_command_id(header.id) else None,
        game=header.game if header.game and is_game_id(header.game) else None,
        reply_to=header.reply_to if header.reply_to and is_game_id(header.reply_to) else None,
    )


def _salvage(body: bytes) -> _Header:
    """What the top level of broken JSON says of its sender: fields before the breakage still count."""
    header = _Header()
    depth = 0
    key: bytes | None = None
    after_colon = False
    last: bytes = b""
    for match in _TOKEN.finditer(body):
        token = match.group()
        if token in b"{[":
            depth += 1
        elif token in b"}]":
            depth -= 1
        elif depth == 1 and token == b":":
            key, after_colon = last, True
            continue
        elif depth == 1 and after_colon and token[:1] == b'"' and key in (b'"id"', b'"game"', b'"reply_to"'):
            try:
                setattr(header, key.decode().strip('"'), msgspec.json.decode(token, type=str))
            except (msgspec.MsgspecError, UnicodeDecodeError):
                return header
        after_colon = False
        last = token
    return header
