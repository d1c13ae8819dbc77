"""Lua scripts: one file, one script, run by its hash on the node that holds the partition's slot."""

import hashlib
from importlib.resources import files
from typing import Any

from redis.exceptions import NoScriptError


class Script:
    """A script of a package: `Script("fairdeal_rules", "commit.lua")`."""

    __slots__ = ("_sha", "source")

    def __init__(self, package: str, name: str) -> None:
        self.source = files(package).joinpath(name).read_text()
        self._sha = hashlib.sha1(self.source.encode(), usedforsecurity=False).hexdigest()

    async def __call__(self, redis: Any, keys: list[str], args: list[Any]) -> Any:
        """Run it. `keys` are of one slot. Raises redis.exceptions.RedisError."""
        try:
            return await redis.evalsha(self._sha, len(keys), *keys, *args)
        except NoScriptError:
            return await redis.eval(self.source, len(keys), *keys, *args)
