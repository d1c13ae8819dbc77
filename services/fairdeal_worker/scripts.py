"""Lua scripts: one file, one script, run by its hash on the node that holds the partition's slot."""

import asyncio
import hashlib
from importlib.resources import files
from typing import Any, NamedTuple

from redis.asyncio import RedisCluster
from redis.exceptions import NoScriptError


class Script:
    """A script of a package: `Script("fairdeal_rules", "commit.lua")`."""

    __slots__ = ("sha", "source")

    def __init__(self, package: str, name: str) -> None:
        self.source = files(package).joinpath(name).read_text()
        self.sha = hashlib.sha1(self.source.encode(), usedforsecurity=False).hexdigest()

    async def __call__(self, redis: Any, keys: list[str], args: list[Any]) -> Any:
        """Run it. `keys` are of one slot. Raises redis.exceptions.RedisError."""
        try:
            return await redis.evalsha(self.sha, len(keys), *keys, *args)
        except NoScriptError:
            return await redis.eval(self.source, len(keys), *keys, *args)


class _Call(NamedTuple):
    script: Script
    keys: list[str]
    args: list[Any]
    answer: asyncio.Future[Any]


class SharedTrips:
    """Script calls of all partitions of one worker, sent together: what comes up while a trip is on its way
    waits for the next.

    The server then wakes and syncs its file once for all of them. At a thousand commands a second most batches
    hold a single command, and it is the server's syncs that the next one waits for. In a cluster each call
    goes its own way, to its own node.
    """

    def __init__(self, redis: Any) -> None:
        self._redis = redis
        self._waiting: list[_Call] = []
        self._trips: asyncio.Task[None] | None = None
        self._alone = isinstance(redis, RedisCluster)

    async def __call__(self, script: Script, keys: list[str], args: list[Any]) -> Any:
        """Run a script, as `Script` does. Raises redis.exceptions.RedisError."""
        if self._alone:
            return await script(self._redis, keys, args)
        call = _Call(script, keys, args, asyncio.get_running_loop().create_future())
        self._waiting.append(call)
        if self._trips is None:
            self._trips = asyncio.create_task(self._run())
        return await call.answer

    async def _run(self) -> None:
        try:
            while self._waiting:
                calls, self._waiting = self._waiting, []
                await self._trip(calls)
        finally:
            self._trips = None

    async def _trip(self, calls: list[_Call]) -> None:
        try:
            if len(calls) == 1:
                script, keys, args, _ = calls[0]
                answers = [await script(self._redis, keys, args)]
            else:
                pipeline = self._redis.pipeline(transaction=False)
                for script, keys, args, _ in calls:
                    pipeline.evalsha(script.sha, len(keys), *keys, *args)
                answers = await pipeline.execute(raise_on_error=False)
                for number, answer in enumerate(answers):
                    if isinstance(answer, NoScriptError):
                        script, keys, args, _ = calls[number]
                        answers[number] = await script(self._redis, keys, args)
        except BaseException as error:
            for call in calls:
                if not call.answer.done():
                    call.answer.set_exception(error)
            if not isinstance(error, Exception):
                raise
            return
        for call, answer in zip(calls, answers, strict=True):
            if call.answer.done():
                continue
            if isinstance(answer, Exception):
                call.answer.set_exception(answer)
            else:
                call.answer.set_result(answer)
