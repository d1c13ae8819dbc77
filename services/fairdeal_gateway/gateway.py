"""All parts of one running gateway, put together in one place."""

import asyncio
import hashlib
import secrets
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from fairdeal.action import Action
from fairdeal.client import Client
from fairdeal.client.deployment import Deployment
from fairdeal.client.pipe import Pipe
from fairdeal.client.tail import Tail
from fairdeal.client.tasks import end
from fairdeal.receipt import Receipt
from fairdeal_gateway.hub import Hub
from fairdeal_gateway.latency import Latency
from fairdeal_gateway.limits import Limits
from fairdeal_gateway.rates import Rates
from fairdeal_gateway.settings import GatewaySettings
from fairdeal_gateway.tokens import Grant, Mint, Revocations, revoked
from fairdeal_gateway.watching import Watching
from fairdeal_worker.logs import logger
from fairdeal_worker.settings import Settings

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

COMMAND_S: Final = 8.0
"""How long a command's receipt is waited for."""


class Gateway:
    """What every request needs. The dealer's secret is not among it: give settings without one."""

    def __init__(self, settings: Settings, own: GatewaySettings) -> None:
        """Raises `BadAddress`. Connects at the first use; `start` before that."""
        assert not settings.secret, "the gateway never holds the dealer's secret"
        self.settings = settings
        self.own = own
        self.log: FilteringBoundLogger = logger(part="gateway")
        self.pipe = Pipe(settings.redis_url)
        self.deployment = Deployment(self.pipe, settings.redis_url, settings.namespace, None)
        self.mint = Mint(own.token_secret, settings.namespace, own.token_max_s)
        self.revocations = Revocations(self.pipe, settings.namespace, own.token_max_s)
        self.limits = Limits(own.rate, own.rate_burst)
        self.watching = Watching(own.streams, own.stream_queue, self.revocations, self.log)
        self.latency = Latency()
        self.rates = Rates()
        self.audits = asyncio.Semaphore(1)
        """An audit takes a core for a while; one at a time leaves the other watchers theirs."""
        self.client = Client(settings.redis_url, namespace=settings.namespace)
        self._tail = Tail(settings.redis_url, self.pipe)
        self.hub = Hub(self.pipe, self._tail, self.deployment, self.log)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to follow what is watched."""
        self._tasks = [asyncio.create_task(self.hub.run()), asyncio.create_task(self.watching.run())]

    async def close(self) -> None:
        """End everything, and all connections."""
        self.watching.stop()
        await end(self._tasks)
        await self.client.close()
        await self.pipe.close()
        await self._tail.close()
        await self.deployment.close()

    async def check(self, token: str) -> Grant:
        """What a token grants now. Raises `Refused`, `Unreachable`."""
        grant = self.mint.read(token)
        if await self.revocations.is_revoked(grant.jti):
            raise revoked()
        return grant

    async def send(
        self, grant: Grant, game: str, action: Action, expect: int | None, command: str | None
    ) -> Receipt:
        """Play an action as the token's seat, or as the host; its receipt. Raises what `Client.act` raises."""
        began = perf_counter()
        command = command or secrets.token_hex(12)
        given: dict[str, Any] = {"expect": expect, "command_id": command, "timeout": COMMAND_S}
        log = self.log.bind(game=game, command=command)
        try:
            if grant.seat is None:
                receipt = await self.client.host(game, action, **given)
            else:
                receipt = await self.client.act(game, grant.seat, action, **given)
        except Exception as error:
            log.info("command", answer=getattr(error, "code", type(error).__name__))
            raise
        finally:
            self.latency.add(perf_counter() - began)
        log.info("command", answer="accepted", version=receipt.version)
        return receipt


def game_for(key: str | None) -> str:
    """The id of a game to be created that was given none: the same one whenever the same key is sent."""
    if key is None:
        return secrets.token_hex(8)
    return hashlib.sha256(b"fairdeal/game/1|" + key.encode()).hexdigest()[:16]
