"""Commands out, receipts in: one future for each command that waits, one reader for all replies."""

import asyncio
import logging
from typing import Any, Final

import msgspec

from fairdeal.client.errors import ClientClosed, NoReceipt, Unreachable
from fairdeal.client.pipe import Pipe
from fairdeal.client.tail import Entries, Tail
from fairdeal.client.tasks import drop_error
from fairdeal.codec import decode_receipt, encode_json
from fairdeal.envelope import Command
from fairdeal.receipt import Receipt
from fairdeal.wire import BODY, Keys

FIRST_LOOK_S: Final = 0.5
"""How long a reply is waited for before the receipt itself is looked up; each further wait is twice as long."""

LONGEST_WAIT_S: Final = 4.0

LAST_LOOK_S: Final = 1.0

PROGRESS_S: Final = 0.25
"""How long the last look at a partition's progress serves all who wait there."""

_body: Final = BODY.encode()
_log = logging.getLogger("fairdeal.client")


Progress = tuple[tuple[int, int], tuple[int, int]]
"""(the position of the rules, the newest command's entry), as what entries are ordered by."""


class Commands:
    """Sends commands and waits for their receipts. `name` is where replies go."""

    def __init__(self, pipe: Pipe, tail: Tail, name: str) -> None:
        self._pipe = pipe
        self._tail = tail
        self._name = name
        self._waiting: dict[tuple[str, str], set[asyncio.Future[Receipt | None]]] = {}
        self._progress: dict[int, tuple[float, asyncio.Task[Progress]]] = {}

    async def send(self, keys: Keys, command: Command, within: float) -> Receipt:
        """The receipt of a command, whichever status it has. `command.reply_to` must be this client's name.

        A lost reply is made up for by looking the receipt up, a lost command by sending it again.
        Raises `NoReceipt` after `within` seconds and one last look, `Busy`, `ClientClosed`.
        """
        sending = _Sending(keys, command)
        try:
            async with asyncio.timeout(within):
                return await self._until_receipt(sending)
        except TimeoutError:
            receipt = await self._last_look(sending)
        if receipt is None:
            raise NoReceipt(command.id, command.game, within, sending.standing())
        return receipt

    async def _last_look(self, sending: "_Sending") -> Receipt | None:
        """The receipt if it is there: a process short of time may be told so late of its replies."""
        try:
            async with asyncio.timeout(LAST_LOOK_S):
                return await self._look_up(sending)
        except TimeoutError:
            return None

    async def _until_receipt(self, sending: "_Sending") -> Receipt:
        wait = FIRST_LOOK_S
        key = (sending.command.game, sending.command.id)
        await self._follow_replies(sending)
        reply = self._expect(key, wait)
        try:
            await self._add(sending)
            while True:
                receipt = await reply
                if receipt is not None:
                    return receipt
                wait = min(2 * wait, LONGEST_WAIT_S)
                reply = self._expect(key, wait)
                receipt = await self._look_up(sending)
                if receipt is not None:
                    return receipt
                if sending.entry is None:
                    await self._add(sending)
        finally:
            reply.cancel()

    async def _follow_replies(self, sending: "_Sending") -> None:
        while True:
            try:
                await self._tail.follow(sending.keys.replies(self._name), self._take_replies)
                return
            except Unreachable as error:
                sending.trouble = str(error)
                await asyncio.sleep(FIRST_LOOK_S)

    async def _add(self, sending: "_Sending") -> None:
        try:
            sending.entry = await self._pipe.call(
                "XADD", sending.keys.commands, "*", BODY, encode_json(sending.command)
            )
        except Unreachable as error:
            sending.trouble = str(error)

    async def _look_up(self, sending: "_Sending") -> Receipt | None:
        """The stored receipt. Forgets the command's entry when neither it nor a receipt is there."""
        keys, command = sending.keys, sending.command
        entry = sending.entry or b"0-0"
        try:
            if sending.entry is not None and await self._is_queued(keys, entry):
                return None
            # In this order: an entry is trimmed only after its receipt was written.
            standing, receipt = await asyncio.gather(
                self._pipe.call("XRANGE", keys.commands, entry, entry),
                self._pipe.call("HGET", keys.receipts(command.game), command.id),
            )
        except Unreachable as error:
            sending.trouble = str(error)
            return None
        if receipt is not None:
            return receipt_from(command, receipt)
        if not standing:
            sending.entry = None
        return None

    async def _is_queued(self, keys: Keys, entry: bytes) -> bool:
        """Whether the rules have not come to this entry yet.

        Looked up once for all commands that wait in a partition: when ten thousand wait because the
        service is behind, asking for each of them would only keep it longer.
        """
        loop = asyncio.get_running_loop()
        known = self._progress.get(keys.partition)
        if known is None or loop.time() - known[0] > PROGRESS_S:
            progress = asyncio.create_task(self._look_at(keys))
            progress.add_done_callback(drop_error)
            known = self._progress[keys.partition] = (loop.time(), progress)
        position, newest = await asyncio.shield(known[1])
        return position < _order(entry) <= newest

    async def _look_at(self, keys: Keys) -> Progress:
        position, newest = await asyncio.gather(
            self._pipe.call("HGET", keys.position("rules"), "entry"),
            self._pipe.call("XREVRANGE", keys.commands, "+", "-", "COUNT", 1),
        )
        return _order(position or b"0-0"), _order(newest[0][0] if newest else b"0-0")

    # Replies

    def _expect(self, key: tuple[str, str], seconds: float) -> "asyncio.Future[Receipt | None]":
        """A future for a reply; None after so many seconds."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Receipt | None] = loop.create_future()
        self._waiting.setdefault(key, set()).add(future)
        timer = loop.call_later(seconds, _settle, future, None)

        def forget(_: Any) -> None:
            timer.cancel()
            futures = self._waiting.get(key, set())
            futures.discard(future)
            if not futures:
                self._waiting.pop(key, None)

        future.add_done_callback(forget)
        return future

    def _take_replies(self, entries: Entries) -> None:
        for _, fields in entries:
            try:
                receipt = decode_receipt(fields[_body])
            except (KeyError, msgspec.MsgspecError) as error:
                _log.warning("a reply to %s that cannot be read is left out: %s", self._name, error)
                continue
            for future in tuple(self._waiting.get((receipt.game, receipt.command), ())):
                _settle(future, receipt)

    def close(self) -> None:
        """Let everybody who waits know that the client is closed."""
        for futures in tuple(self._waiting.values()):
            for future in tuple(futures):
                if not future.done():
                    future.set_exception(ClientClosed())


class _Sending:
    """What is known of a command on its way."""

    __slots__ = ("command", "entry", "keys", "trouble")

    def __init__(self, keys: Keys, command: Command) -> None:
        self.keys = keys
        self.command = command
        self.entry: bytes | None = None
        self.trouble: str | None = None

    def standing(self) -> str:
        """Where the command is, in words."""
        if self.entry is not None:
            return (
                f"it stands in {self.keys.commands} as entry {self.entry.decode()} and nobody has answered it; "
                "check that a rules worker runs, and its lag"
            )
        return f"nobody knows whether it arrived ({self.trouble or 'Redis did not answer'})"


def _order(entry: bytes) -> tuple[int, int]:
    """An entry's id as what it is ordered by."""
    milliseconds, _, number = entry.partition(b"-")
    return int(milliseconds), int(number)


def _settle(future: "asyncio.Future[Receipt | None]", receipt: Receipt | None) -> None:
    if not future.done():
        future.set_result(receipt)


def receipt_from(command: Command, stored: bytes) -> Receipt:
    """The receipt as a game's receipts keep it: the version of an accepted command, else the receipt's JSON."""
    if stored[:1] == b"{":
        return decode_receipt(stored)
    return Receipt(command=command.id, game=command.game, status="accepted", version=int(stored))
