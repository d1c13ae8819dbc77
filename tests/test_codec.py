"""Bytes in, records out: whatever the bytes are, a command or a `Malformed` that tells its sender why."""

import json
from typing import Any

import msgspec
import pytest
from faststream.redis.parser.binary import BinaryMessageFormatV1
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal import game
from fairdeal.codec import (
    MAX_BODY,
    MAX_MESSAGE,
    Malformed,
    decode_command,
    decode_command_json,
    encode_json,
    fault,
    open_envelope,
)
from fairdeal.envelope import ACTIONS, Command, action_from

RESIGN: dict[str, Any] = {"id": "01JD", "game": "g42", "seat": 1, "action": {"type": "game.resign"}}


def body_of(**changes: Any) -> bytes:
    """A good command's body with some fields changed, or left out when `...`."""
    return json.dumps({k: v for k, v in {**RESIGN, **changes}.items() if v is not ...}).encode()


def malformed(data: bytes) -> Malformed:
    with pytest.raises(Malformed) as caught:
        decode_command(data)
    return caught.value


def answer_to(data: bytes) -> Command | Malformed:
    try:
        return decode_command(data)
    except Malformed as error:
        return error


async def enveloped(body: bytes, headers: dict[str, str] | None = None) -> bytes:
    """The body as a FastStream application's `publish` puts it on the stream."""
    return await BinaryMessageFormatV1.encode(
        message=body, reply_to=None, headers=headers, correlation_id="0f1e2d"
    )


# What is read


def test_a_bare_command() -> None:
    command = decode_command(
        b'{"id": "01JD", "game": "g42", "seat": 1, "expect": 17, "reply_to": "shop-7",'
        b' "action": {"type": "game.cancel", "reason": "rain"}}'
    )
    assert command == Command(
        id="01JD",
        game="g42",
        seat=1,
        expect=17,
        reply_to="shop-7",
        action=game.Cancel(reason="rain"),
    )
    assert decode_command(encode_json(command)) == command


def test_what_is_left_out_is_none() -> None:
    command = decode_command(body_of(seat=...))
    assert (command.seat, command.expect, command.reply_to) == (None, None, None)
    assert encode_json(command) == b'{"id":"01JD","game":"g42","action":{"type":"game.resign"}}'


@pytest.mark.parametrize("headers", [None, {"traceparent": "00-" + "ab" * 16}, {"x": "y" * 3000}])
async def test_a_command_in_faststreams_envelope(headers: dict[str, str] | None) -> None:
    data = await enveloped(body_of(), headers)
    assert data[:4] == b"\x89BIN"
    assert open_envelope(data) == body_of()
    assert decode_command(data) == decode_command(body_of())


async def test_faults_inside_an_envelope_are_found_as_in_a_bare_body() -> None:
    bare = malformed(body_of(seat="one"))
    wrapped = malformed(await enveloped(body_of(seat="one")))
    assert (bare.code, bare.path, bare.message) == ("malformed", "$.seat", "Expected `int | null`, got `str`")
    assert vars(wrapped) == vars(bare)


async def test_an_envelope_that_is_cut_anywhere_is_malformed_and_nothing_else() -> None:
    data = await enveloped(body_of())
    for length in range(len(data)):
        assert malformed(data[:length]).code == "malformed"


# What is refused, where and why


@pytest.mark.parametrize(
    ("body", "code", "path", "says"),
    [
        (body_of(id=...), "malformed", "$", "required field `id`"),
        (body_of(action=...), "malformed", "$", "required field `action`"),
        (body_of(game=5), "malformed", "$.game", "Expected `str`"),
        (body_of(seat=-1), "malformed", "$.seat", ">= 0"),
        (body_of(seat=1.5), "malformed", "$.seat", "Expected `int"),
        (body_of(seat=True), "malformed", "$.seat", "Expected `int"),
        (body_of(expect=1e400), "malformed", "$", ""),
        (body_of(reply_to="a b"), "malformed", "$.reply_to", "regex"),
        (body_of(colour="red"), "malformed", "$", "unknown field `colour`"),
        (body_of(action={"type": "game.resign", "why": 1}), "malformed", "$.action", "unknown field `why`"),
        (
            body_of(action={"type": "game.cancel", "reason": ""}),
            "malformed",
            "$.action.reason",
            "length >= 1",
        ),
        (body_of(action={}), "malformed", "$.action", "required field `type`"),
        (body_of(action={"type": "chess.move"}), "unknown_action", "$.action.type", "'chess.move'"),
        (body_of(action={"type": "game.resigned"}), "unknown_action", "$.action.type", "'game.resigned'"),
        (b"[]", "malformed", "$", "Expected `object`"),
        (b"null", "malformed", "$", "Expected `object`"),
        (b"", "malformed", "$", "truncated"),
        (b"{", "malformed", "$", "truncated"),
        (body_of() + b"{}", "malformed", "$", "trailing"),
        (b"\xff\xfe", "malformed", "$", "malformed"),
        (b"\x89BIN\r\n\x1a\n", "malformed", "$", "malformed"),
        (b'{"id":"\xc3\x28"}', "malformed", "$", ""),
        (b'{"id":"\\ud800"}', "malformed", "$", ""),
        (b"[" * 60_000, "malformed", "$", ""),
        (b'{"action":' * 6_000, "malformed", "$", ""),
        (b'{"id":"a","game":"g","seat":' + b"9" * 5_000 + b"}", "malformed", "$.seat", ""),
    ],
)
def test_a_fault_has_a_code_a_path_and_a_message(body: bytes, code: str, path: str, says: str) -> None:
    error = malformed(body)
    assert (error.code, error.path) == (code, path)
    assert says in error.message
    assert error.message


def test_a_body_that_is_too_long_still_tells_its_sender() -> None:
    padding = MAX_BODY - len(body_of(action={"type": "game.cancel", "reason": ""}))
    longest = body_of(action={"type": "game.cancel", "reason": "r" * padding})
    assert len(longest) == MAX_BODY
    assert malformed(longest).code == "malformed"
    error = malformed(longest + b" ")
    assert (error.code, error.path, error.command, error.game) == ("too_large", "$", "01JD", "g42")
    assert str(MAX_BODY) in error.message
    assert str(MAX_BODY + 1) in error.message


def test_nested_too_deeply_is_said_in_words() -> None:
    options = b'{"a":' * 5_000 + b"1" + b"}" * 5_000
    error = malformed(
        b'{"id":"a","game":"g","action":{"type":"game.create","ruleset":"r","players":[],"options":'
        + options
        + b"}}"
    )
    assert (error.code, error.message, error.command, error.game) == (
        "malformed",
        "nested too deeply",
        "a",
        "g",
    )


@pytest.mark.parametrize("type_", ["chess - at home", "a - at `$.id`", " - at ", "x" * 60_000])
def test_a_sender_cannot_move_the_path_or_swell_the_message(type_: str) -> None:
    error = malformed(body_of(action={"type": type_}))
    assert (error.code, error.path) == ("unknown_action", "$.action.type")
    assert len(error.message) <= MAX_MESSAGE
    unknown_field = malformed(body_of(**{type_: 1}))
    assert (unknown_field.code, unknown_field.path) == ("malformed", "$")
    assert len(unknown_field.message) <= MAX_MESSAGE


def test_a_fault_of_msgspecs_is_taken_apart() -> None:
    for data, expected in [
        ({"type": "game.cancel", "reason": 5}, ("Expected `str`, got `int`", "$.reason")),
        (5, ("Expected `object`, got `int`", "$")),
    ]:
        with pytest.raises(msgspec.ValidationError) as caught:
            action_from(data)  # type: ignore[arg-type]
        assert fault(caught.value) == expected


# Ids


GOOD_IDS = ["a", "A-z_09", "x" * 64]
BAD_GAME_IDS = ["", "x" * 65, "a b", "a\n", "\na", "a\r", "a\u2028", "ä", "a:b", "{a}", "a\x00", "٣"]
BAD_COMMAND_IDS = ["", "x" * 65, "a\n", "\na", "a\r\n", "a\t", "ä", "a\x00", "\x7f", "a\u2028"]


@pytest.mark.parametrize("id", GOOD_IDS)
def test_ids_that_are_taken(id: str) -> None:
    command = decode_command(body_of(id=id + " ~"[: 64 - len(id)], game=id, reply_to=id))
    assert (command.game, command.reply_to) == (id, id)


@pytest.mark.parametrize("id", BAD_GAME_IDS)
@pytest.mark.parametrize("field", ["game", "reply_to"])
def test_ids_of_games_and_clients_that_are_refused(field: str, id: str) -> None:
    error = malformed(body_of(**{field: id}))
    assert error.path == f"$.{field}"
    assert getattr(error, field) is None
    assert error.command == "01JD"


@pytest.mark.parametrize("id", BAD_COMMAND_IDS)
def test_ids_of_commands_that_are_refused(id: str) -> None:
    error = malformed(body_of(id=id))
    assert (error.path, error.command, error.game) == ("$.id", None, "g42")


# What is salvaged


WHOLE = (
    b'{"id": "01JD", "game": "g42", "reply_to": "shop-7", "seat": 1,'
    b' "action": {"type": "game.cancel", "id": "inner", "game": "inner", "reason": "\\"id\\":"}}'
)


@pytest.mark.parametrize("tail", [b"", b"}", b"\xff", b"{{[", b'"', b'"\\', b"\x00", b":::", b"\\"])
def test_the_sender_is_read_out_of_every_broken_beginning(tail: bytes) -> None:
    reads = [(b'"01JD"', "command", "01JD"), (b'"g42"', "game", "g42"), (b'"shop-7"', "reply_to", "shop-7")]
    for length in range(len(WHOLE)):
        error = malformed(WHOLE[:length] + tail + b"\xff")
        for token, field, value in reads:
            if length >= WHOLE.index(token) + len(token):
                assert getattr(error, field) == value
            elif length < WHOLE.index(token):
                assert getattr(error, field) is None


def test_nothing_is_salvaged_from_inside_the_action_or_from_texts() -> None:
    error = malformed(
        b'{"action": {"id": "inner", "game": "inner"}, "note": "\\"id\\": \\"x\\"", "reply_to": "me"'
    )
    assert (error.command, error.game, error.reply_to) == (None, None, "me")


def test_fields_of_the_wrong_kind_do_not_hide_the_others() -> None:
    error = malformed(b'{"id": 5, "game": "g42", "reply_to": ["x"], "action": {}}')
    assert (error.command, error.game, error.reply_to) == (None, "g42", None)


def test_salvage_takes_time_in_proportion_to_the_body() -> None:
    """An unfinished text full of quotes once cost its reader half a minute: the search went back for each."""
    body = b'{"game":"g","id":"' + b'\\"' * (MAX_BODY // 2 - 20)
    error = malformed(body)
    assert (error.code, error.game, error.command) == ("malformed", "g", None)


# Whatever the bytes are


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.sampled_from([*Command.__struct_fields__, "type", "x"])
NEARLY = st.dictionaries(FIELDS, JSON, max_size=7).map(lambda d: json.dumps({**RESIGN, **d}).encode())
ACTED = st.builds(
    lambda type_, fields: body_of(action={**fields, "type": type_}),
    st.sampled_from(sorted(ACTIONS)),
    st.dictionaries(st.sampled_from(["reason", "seat", "player", "entropy", "ruleset", "players"]), JSON),
)
CUT = st.builds(lambda body, at: body[: at % (len(body) + 1)], ACTED | NEARLY, st.integers(0, 500))
FLIPPED = st.builds(
    lambda body, bit: bytes(
        b ^ (1 << bit % 8) if i == bit // 8 % len(body) else b for i, b in enumerate(body)
    ),
    ACTED | NEARLY,
    st.integers(0, 4000),
)
ENVELOPED = st.builds(
    lambda short, start, rest: b"\x89BIN\r\n\x1a\n" + short + start.to_bytes(4, "big") + rest,
    st.binary(min_size=6, max_size=6),
    st.integers(0, 60) | st.integers(0, 2**32 - 1),
    st.binary(max_size=30) | ACTED,
)


@given(st.one_of(st.binary(), NEARLY, ACTED, CUT, FLIPPED, ENVELOPED))
@settings(max_examples=200, deadline=None)
def test_garbage_is_a_command_or_malformed_and_never_anything_else(data: bytes) -> None:
    answer = answer_to(data)
    if isinstance(answer, Command):
        assert decode_command_json(encode_json(answer)) == answer
    else:
        assert answer.code in ("malformed", "too_large", "unknown_action")
        assert answer.path.startswith("$")
        assert 0 < len(answer.message) <= MAX_MESSAGE
        for id in (answer.command, answer.game, answer.reply_to):
            assert id is None or (0 < len(id) <= 64 and id.isascii() and id.isprintable())
