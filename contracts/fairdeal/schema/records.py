"""Records as JSON Schema (2020-12), and one example of each.

msgspec has a generator of its own. This one names definitions by their `type` on the wire, so that a new
ruleset renames nothing, tells who may see each field of an event, and gives the same bytes under every
msgspec that the package allows.
"""

import ast
import inspect
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, Final

import msgspec
from msgspec import inspect as types

from fairdeal.action import Action
from fairdeal.tagged import tag_of
from fairdeal.visibility import Event, audiences, drawn_fields

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def document(
    records: type | Sequence[type], title: str, description: str, examples: Sequence[Any] = ()
) -> Schema:
    """A self-contained JSON Schema of a record, or of any one of several, under a title of its own."""
    definitions = Definitions()
    if isinstance(records, type):
        schema = definitions.of(types.type_info(records), inline=True)
    else:
        schema = {"anyOf": [definitions.of(types.type_info(record)) for record in records]}
    schema |= {"$schema": DIALECT, "title": title, "description": description}
    if definitions.named:
        schema["$defs"] = definitions.named
    if examples:
        schema["examples"] = list(examples)
    return schema


def summary_of(record: type) -> str:
    """What a record's docstring says, unwrapped: one line a paragraph."""
    return _unwrapped(record.__doc__ or "")


def notes_of(record: type) -> dict[str, str]:
    """What is written under each field of a record, unwrapped; fields without a note are left out."""
    notes: dict[str, str] = {}
    for base in reversed(record.__mro__):
        notes |= _notes_in(base.__module__).get(base.__name__, {})
    return notes


@cache
def _notes_in(module: str) -> dict[str, dict[str, str]]:
    """The notes of all classes of a module, from its source: Python itself forgets them."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError):
        return {}  # built in: there is no source
    classes = (node for node in tree.body if isinstance(node, ast.ClassDef))
    return {node.name: dict(_noted(node)) for node in classes}


def _noted(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, note in pairwise(node.body):
        match field, note:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(text))):
                yield name, _unwrapped(text)


def _unwrapped(text: str) -> str:
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def name_of(record: type) -> str:
    """What a record is called in the documents: its `type`, or its class's name under its ruleset."""
    if issubclass(record, Action | Event):
        return tag_of(record)
    package, _, module = record.__module__.rpartition(".")
    return f"{module}.{record.__name__}" if package == "fairdeal.games" else record.__name__


class Definitions:
    """The schemas of all records met so far, each once, by name."""

    def __init__(self) -> None:
        self.named: dict[str, Schema] = {}
        self._records: dict[str, type] = {}

    def of(self, info: types.Type, inline: bool = False) -> Schema:
        """The schema of a type; a record is put among the definitions and referred to unless `inline`.

        Raises TypeError for a type that JSON does not have, and for two records of one name.
        """
        if isinstance(info, types.Metadata):
            return self.of(info.type, inline) | (info.extra_json_schema or {})
        if isinstance(info, types.StructType):
            return self._record(info) if inline else self._reference(info)
        if isinstance(info, types.UnionType):
            return {"anyOf": [self.of(member) for member in info.types]}
        if isinstance(info, types.LiteralType):
            return {"enum": sorted(info.values, key=str)}
        if isinstance(info, types.EnumType):
            return {"enum": sorted((member.value for member in info.cls), key=str)}
        if isinstance(info, types.DictType):
            return self._mapping(info)
        if isinstance(info, types.TupleType):
            items = [self.of(item) for item in info.item_types]
            return {
                "type": "array",
                "prefixItems": items,
                "items": False,
                "minItems": len(items),
                "maxItems": len(items),
            }
        if isinstance(info, types.CollectionType):
            return {"type": "array", "items": self.of(info.item_type)} | _lengths(info, "Items")
        return _plain(info)

    def _reference(self, info: types.StructType) -> Schema:
        name = name_of(info.cls)
        known = self._records.setdefault(name, info.cls)
        if known is not info.cls:
            raise TypeError(f"{info.cls} and {known} are both called {name}: rename one of them")
        if name not in self.named:
            self.named[name] = {}  # so that a record which holds its own kind ends here
            self.named[name] = self._record(info)
        return {"$ref": f"#/$defs/{name}"}

    def _record(self, info: types.StructType) -> Schema:
        properties: dict[str, Schema] = {}
        if info.tag_field is not None:
            properties[info.tag_field] = {"const": info.tag}
        notes = notes_of(info.cls)
        for field in info.fields:
            shown = properties[field.encode_name] = self.of(field.type)
            if field.name in notes:
                shown["description"] = notes[field.name]
            if field.default is not msgspec.NODEFAULT:
                shown["default"] = msgspec.to_builtins(field.default)
            elif field.default_factory is not msgspec.NODEFAULT:
                shown["default"] = msgspec.to_builtins(field.default_factory())
        if issubclass(info.cls, Event):
            _tell_audiences(info.cls, properties)
        schema: Schema = {
            "title": name_of(info.cls),
            "description": summary_of(info.cls),
            "type": "object",
            "properties": properties,
            "required": [info.tag_field] * (info.tag_field is not None)
            + [field.encode_name for field in info.fields if field.required],
        }
        if info.forbid_unknown_fields:
            schema["additionalProperties"] = False
        return schema

    def _mapping(self, info: types.DictType) -> Schema:
        schema: Schema = {"type": "object"} | _lengths(info, "Properties")
        keys = self.of(info.key_type)
        if "enum" in keys:
            schema["propertyNames"] = {"enum": [str(value) for value in keys["enum"]]}
        elif keys.get("type") == "integer":
            schema["propertyNames"] = {"pattern": "^-?[0-9]+$"}
        elif len(keys) > 1:
            schema["propertyNames"] = keys
        values = self.of(info.value_type)
        if values:
            schema["additionalProperties"] = values
        return schema


def _tell_audiences(event: type[Event], properties: dict[str, Schema]) -> None:
    for field, audience in audiences(event).items():
        properties[field]["x-audience"] = list(audience) if isinstance(audience, tuple) else audience
    for field in drawn_fields(event):
        properties[field]["x-drawn"] = True


_PLAIN: Final[dict[type[types.Type], Schema]] = {
    types.AnyType: {},
    types.NoneType: {"type": "null"},
    types.BoolType: {"type": "boolean"},
    types.IntType: {"type": "integer"},
    types.FloatType: {"type": "number"},
    types.StrType: {"type": "string"},
}

_LIMITS: Final = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "pattern": "pattern",
    "min_length": "minLength",
    "max_length": "maxLength",
}


def _plain(info: types.Type) -> Schema:
    if type(info) not in _PLAIN:
        raise TypeError(f"A contract cannot hold {info}: JSON has no such type")
    limits = {word: getattr(info, limit, None) for limit, word in _LIMITS.items()}
    return _PLAIN[type(info)] | {word: limit for word, limit in limits.items() if limit is not None}


def _lengths(info: types.CollectionType | types.DictType, unit: str) -> Schema:
    limits = {f"min{unit}": info.min_length, f"max{unit}": info.max_length}
    return {word: limit for word, limit in limits.items() if limit is not None}


def example_of(record: Any) -> Any:
    """A value of a record's shape, as plain data: what it says need not make sense in any game."""
    return _example(types.type_info(record))


def _example(info: types.Type) -> Any:
    if isinstance(info, types.Metadata):
        examples = (info.extra_json_schema or {}).get("examples")
        return examples[0] if examples else _example(info.type)
    if isinstance(info, types.StructType):
        shown = {field.encode_name: _example(field.type) for field in info.fields if field.required}
        return ({} if info.tag_field is None else {info.tag_field: info.tag}) | shown
    if isinstance(info, types.UnionType):
        return _example(next(member for member in info.types if not isinstance(member, types.NoneType)))
    if isinstance(info, types.LiteralType):
        return info.values[0]
    if isinstance(info, types.EnumType):
        return next(iter(member.value for member in info.cls))
    if isinstance(info, types.DictType):
        unknown = isinstance(info.value_type, types.AnyType)
        return {} if unknown else {str(_example(info.key_type)): _example(info.value_type)}
    if isinstance(info, types.TupleType):
        return [_example(item) for item in info.item_types]
    if isinstance(info, types.CollectionType):
        return [_example(info.item_type)] * max(info.min_length or 1, 1)
    if isinstance(info, types.StrType):
        return "text" if info.min_length is None else "text".ljust(info.min_length, ".")
    if isinstance(info, types.IntType | types.FloatType):
        return info.ge if info.ge is not None else 0 if info.gt is None else info.gt + 1
    return True if isinstance(info, types.BoolType) else None
