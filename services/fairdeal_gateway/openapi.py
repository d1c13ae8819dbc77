"""The OpenAPI document, made of the contract's records; its examples are of a real game."""

from functools import cache
from importlib.metadata import version
from typing import Any, Final

from litestar import Response, get
from msgspec import inspect as types

from fairdeal.codec import encode_json
from fairdeal.commit import AnyEvent
from fairdeal.directory import Status
from fairdeal.games import RULESETS
from fairdeal.schema.records import Definitions, Schema, summary_of
from fairdeal.view import View, view_type
from fairdeal.wire import GAME_ID
from fairdeal_gateway.described import OPERATIONS, Operation
from fairdeal_gateway.examples import GAME, examples
from fairdeal_gateway.problems import CONTENT_TYPE, TITLES, ProblemDetails
from fairdeal_gateway.records import (
    SeenFrame,
)

_KEY: Final = r"^[!-~]([ -~]{0,62}[!-~])?$"
"""A command's id as a header can carry it: spaces around a header's value are lost."""

_VIEWER: Final = r"^(table|audit|seat:[0-9]{1,2})$"


_TEXT: Final[Schema] = {"type": "string"}


@cache
def document() -> bytes:
    """The document as JSON."""
    definitions = Definitions()
    shown = examples()
    paths: dict[str, dict[str, Any]] = {}
    for route in OPERATIONS:
        paths.setdefault(route.path, {})[route.method] = _operation(route, definitions, shown)
    definitions.of(types.type_info(ProblemDetails))
    content = {
        "openapi": "3.1.0",
        "info": {
            "title": "fairdeal",
            "version": version("fairdeal"),
            "description": "Games of bluffing, bidding and haggling. Every error is `application/problem+json` with a "
            "`code`. The WebSocket `/games/{game}/ws` carries the frames of `/events`, and commands.",
        },
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
            "parameters": _parameters(definitions),
            "schemas": _schemas(definitions),
        },
    }
    return encode_json(content).replace(b"#/$defs/", b"#/components/schemas/")


def paths() -> list[tuple[str, str]]:
    """Every (method, path) that is documented."""
    return [(route.method.upper(), route.path) for route in OPERATIONS]


def _operation(route: Operation, definitions: Definitions, shown: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.id,
        "summary": route.summary,
        "description": route.text,
        "responses": _responses(route, definitions, shown),
    }
    if route.scopes:
        operation["description"] += (
            f" For tokens of the scope {', '.join(f'`{scope}`' for scope in route.scopes)}."
        )
    else:
        operation["security"] = []
    if route.parameters:
        operation["parameters"] = [{"$ref": f"#/components/parameters/{name}"} for name in route.parameters]
    if route.body is not None:
        media: dict[str, Any] = {"schema": definitions.of(types.type_info(route.body))}
        media["examples"] = {name: {"value": value} for name, value in shown[f"{route.id}:request"].items()}
        operation["requestBody"] = {"required": True, "content": {"application/json": media}}
    return operation


def _responses(route: Operation, definitions: Definitions, shown: dict[str, Any]) -> dict[str, Any]:
    done: dict[str, Any] = {"description": route.summary}
    if route.answer is not None:
        media_type, schema = _answer(route.answer, definitions)
        media: dict[str, Any] = {"schema": schema}
        if route.id in shown:
            media["examples"] = {name: {"value": value} for name, value in shown[route.id].items()}
        done["content"] = {media_type: media}
    problem = {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}
    usual: tuple[int, ...] = (400, 401, 403, 429, 500) if route.scopes else (500,)
    return {str(route.status): done} | {
        str(status): {"description": TITLES[status], "content": {CONTENT_TYPE: problem}}
        for status in sorted({*usual, *route.problems, *((408,) if route.body else ())})
    }


def _answer(answer: Any, definitions: Definitions) -> tuple[str, Schema]:
    if isinstance(answer, tuple):
        return answer[0], answer[1]
    if answer == "view":
        return "application/json", {"$ref": "#/components/schemas/AnyView"}
    return "application/json", definitions.of(types.type_info(answer))


def _schemas(definitions: Definitions) -> dict[str, Schema]:
    """All records; what a frame holds is said more closely than its record does."""
    views = [definitions.of(types.type_info(view_type(ruleset))) for ruleset in RULESETS]
    events = definitions.of(types.type_info(AnyEvent))
    definitions.of(types.type_info(SeenFrame))
    named = {name: dict(schema) for name, schema in definitions.named.items()}
    for ruleset in RULESETS:
        named[f"{ruleset}.View"]["description"] = summary_of(View)
    named["AnyView"] = {"description": "The view of a game, of the ruleset that it names.", "anyOf": views}
    frame = dict(named["SeenFrame"]["properties"])
    frame["view"] = {"$ref": "#/$defs/AnyView"}
    frame["events"] = {"type": "array", "items": events}
    named["SeenFrame"]["properties"] = frame
    return named


def _parameters(definitions: Definitions) -> dict[str, Any]:
    def query(name: str, schema: Schema, text: str, place: str = "query") -> dict[str, Any]:
        return {"name": name, "in": place, "required": place == "path", "description": text, "schema": schema}

    number: Schema = {"type": "integer", "minimum": 1, "maximum": 2**53}
    from_zero: Schema = {"type": "integer", "minimum": 0, "maximum": 2**53}
    identity: Schema = {"type": "string", "pattern": GAME_ID}
    return {
        "game": query("game", identity, "The game's id.", "path") | {"example": GAME},
        "id": query("id", {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}, "The token's id.", "path"),
        "as": query(
            "as",
            {"type": "string", "pattern": _VIEWER},
            "Whose eyes: `table`, `seat:1`, or `audit` (not for views).",
        ),
        "from": query("from", number, "The first version."),
        "to": query("to", number, "The last version."),
        "after": query("after", from_zero, "The version of the last frame that was seen."),
        "status": query("status", definitions.of(types.type_info(Status)), "Only games in this state."),
        "ruleset": query("ruleset", _TEXT, "Only games of this ruleset."),
        "player": query("player", _TEXT, "Only games of this player."),
        "limit": query(
            "limit", {"type": "integer", "minimum": 1, "maximum": 500, "default": 50}, "How many at most."
        ),
        "before": query("before", _TEXT, "Go on after a page: its `next`."),
        "Idempotency-Key": query(
            "Idempotency-Key", {"type": "string", "pattern": _KEY}, "The command's id.", "header"
        ),
        "Last-Event-ID": query(
            "Last-Event-ID", from_zero, "The version of the last frame that was seen.", "header"
        ),
    }


@get("/openapi.json", sync_to_thread=False)
def openapi() -> Response[bytes]:
    """This gateway's interface."""
    return Response(document(), media_type="application/json", headers={"Cache-Control": "no-cache"})
