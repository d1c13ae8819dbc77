"""The roles that a worker can have, by name; each part is imported only when it is asked for."""

from importlib import import_module
from typing import Final

from fairdeal_worker.role import Role

WHERE: Final = {
    "rules": "fairdeal_rules.worker",
    "views": "fairdeal_views",
    "replays": "fairdeal_replays",
    "bots": "fairdeal_bots",
}


def role_named(name: str) -> Role:
    """The role `rules`, `views`, `replays` or `bots`."""
    role: Role = import_module(WHERE[name]).ROLE
    return role


def all_roles() -> tuple[Role, ...]:
    """Every role, the rules first."""
    return tuple(role_named(name) for name in WHERE)
