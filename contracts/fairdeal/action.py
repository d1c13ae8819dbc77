"""The base of every action: what a seat or the host wants to do."""

from typing import Any, dataclass_transform

import msgspec

from fairdeal.tagged import wire_name


@dataclass_transform(field_specifiers=(msgspec.field,))
class _ActionMeta(msgspec.StructMeta):
    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **config: Any) -> Any:
        if bases and bases[0] is not msgspec.Struct:
            config.setdefault("tag", wire_name(namespace["__module__"], name))
        return super().__new__(mcls, name, bases, namespace, **config)


class Action(
    msgspec.Struct, metaclass=_ActionMeta, frozen=True, forbid_unknown_fields=True, omit_defaults=True
):
    """What a seat or the host wants to do.

    A subclass is one action; its `type` on the wire is `<module>.<name_in_snake_case>`. An action may hold
    secrets (the cards of a blind offer) and is therefore for `audit` eyes only, whole.
    """
