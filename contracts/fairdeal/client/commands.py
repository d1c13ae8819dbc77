"""Commands out, receipts in: one future for each command that waits, one reader for all replies."""

import asyncio
import logging
from collections.abc import Coroutine
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

FIRST_LOOK_S: Final = 1.0
"""How long a reply is waited for before the receipt itself is looked up; each further wait is twice as long."""

LONGEST_WAIT_S: Final = 4.0

LAST_LOOK_S: Final = 2.0
"""How long the look may take that is made when the time is over: who had no time may be told late."""

PROGRESS_S: Final = 0.25
"""How long the last look at a partition's progress serves all who wait there."""

Progress = tuple[tuple[int, int], tuple[int, int]]
"""(the position of the rules, the newest command's entry), as what entries are ordered by."""

_body: Final = BODY.encode()
_log = logging.getLogger("fairdeal.client")


class Commands:
    """Sends commands and waits for their receipts. `name` is where replies go."""

    def __init__(self, pipe: Pipe, tail: Tail, name: str) -> None:
        self._pipe = pipe
        self._tail = tail
        self._name = name
        self._waiting: dict[tuple[str, str], set[_Sending]] = {}
        self._progress: dict[int, tuple[float, asyncio.Task[Progress]]] = {}

    async def send(self, keys: Keys, command: Command, within: float) -> Receipt:
        """The receipt of a command, whichever status it has. `command.reply_to` must be this client's name.

        A lost reply is made up for by looking the receipt up, a lost command by sending it again.
        Raises `NoReceipt` after `within` seconds and one last look, `Busy`, `ClientClosed`.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + within
        key = (command.game, command.id)
        sending = _Sending(keys, command)
        self._waiting.setdefault(key, set()).add(sending)
        try:
            if self._tail.follows(keys.replies(self._name)):
                self._add(sending)
            else:
                sending.help(self._follow_and_add(sending))
            receipt = await sending.wait(min(FIRST_LOOK_S, within))
            wait = FIRST_LOOK_S
            while receipt is None and (left := deadline - loop.time()) > 0:
                sending.help(self._make_up(sending))
                wait = min(2 * wait, LONGEST_WAIT_S)
                receipt = await sending.wait(min(wait, left))
            if receipt is None:
                sending.help(self._look_up(sending))
                receipt = await sending.wait(LAST_LOOK_S, for_helper=True)
            if receipt is None:
                raise NoReceipt(command.id, command.game, within, sending.standing())
            return receipt
        finally:
            sending.end()
            self._waiting[key].discard(sending)
            if not self._waiting[key]:
                del self._waiting[key]

    # Sending

    async def _follow_and_add(self, sending: "_Sending") -> None:
        while True:
            try:
                await self._tail.follow(sending.keys.replies(self._name), self._take_replies)
            except Unreachable as error:
                sending.trouble = str(error)
                await asyncio.sleep(FIRST_LOOK_S)
            else:
                self._add(sending)
                return

    def _add(self, sending: "_Sending") -> None:
        adding = self._pipe.call("XADD", sending.keys.commands, "*", BODY, encode_json(sending.command))
        sending.adding = adding
        adding.add_done_callback(sending.added)

    async def _make_up(self, sending: "_Sending") -> None:
        """For a lost reply, or a lost command."""
        if sending.adding is not None:
            return  # Redis is slow: asking it for more would only make it slower
        await self._look_up(sending)
        if sending.entry is None and sending.receipt is None:
            await self._follow_and_add(sending)

    async def _look_up(self, sending: "_Sending") -> None:
        """Settle by the stored receipt. Forgets the command's entry when neither it nor a receipt is there."""
        keys, command = sending.keys, sending.command
        entry = sending.entry
        try:
            if entry is not None and await self._is_queued(keys, entry):
                return
            # In this order: an entry is trimmed only after its receipt was written.
            standing, stored = await asyncio.gather(
                self._pipe.call("XRANGE", keys.commands, entry or b"0-0", entry or b"0-0"),
                self._pipe.call("HGET", keys.receipts(command.game), command.id),
            )
        except Unreachable as error:
            sending.trouble = str(error)
            return
        if stored is not None:
            sending.settle(receipt_from(command, stored))
        elif not standing and sending.entry == entry:
            sending.entry = None

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

    def _take_replies(self, entries: Entries) -> None:
        for _, fields in entries:
            try:
                receipt = decode_receipt(fields[_body])
            except (KeyError, msgspec.MsgspecError) as error:
                _log.warning("a reply to %s that cannot be read is left out: %s", self._name, error)
                continue
            for sending in self._waiting.get((receipt.game, receipt.command), ()):
                sending.settle(receipt)

    def close(self) -> None:
        """Let everybody who waits know that the client is closed."""
        for sendings in self._waiting.values():
            for sending in sendings:
                sending.fail(ClientClosed())


class _Sending:
    """A command on its way, and what is known of it."""

    __slots__ = (
        "_error",
        "_for_helper",
        "_helper",
        "_turn",
        "adding",
        "command",
        "entry",
        "keys",
        "receipt",
        "trouble",
    )

    def __init__(self, keys: Keys, command: Command) -> None:
        self.keys = keys
        self.command = command
        self.receipt: Receipt | None = None
        self.adding: asyncio.Future[Any] | None = None
        """The answer to its `XADD`, while that is under way."""
        self.entry: bytes | None = None
        self.trouble: str | None = None
        self._error: BaseException | None = None
        self._turn: asyncio.Future[None] | None = None
        self._helper: asyncio.Task[None] | None = None
        self._for_helper = False

    async def wait(self, seconds: float, *, for_helper: bool = False) -> Receipt | None:
        """The receipt, if it comes within so many seconds; `for_helper`: and before the helper has ended.

        Raises what was given to `fail`.
        """
        self._for_helper = for_helper
        if self.receipt is None and self._error is None:
            loop = asyncio.get_running_loop()
            self._turn = loop.create_future()
            timer = loop.call_later(seconds, self._wake)
            try:
                await self._turn
            finally:
                timer.cancel()
        if self._error is not None:
            raise self._error
        return self.receipt

    def _wake(self) -> None:
        if self._turn is not None and not self._turn.done():
            self._turn.set_result(None)

    def settle(self, receipt: Receipt) -> None:
        """The receipt has come."""
        self.receipt = receipt
        self._wake()

    def fail(self, error: BaseException) -> None:
        """There will be none."""
        self._error = error
        self._wake()

    def added(self, adding: asyncio.Future[Any]) -> None:
        """The `XADD` was answered, or was not."""
        self.adding = None
        error = adding.exception()
        if error is None:
            self.entry = adding.result()
        elif isinstance(error, Unreachable):
            self.trouble = str(error)
        else:
            self.fail(error)

    def help(self, work: Coroutine[Any, Any, None]) -> None:
        """Do some work beside the waiting, unless what was begun before goes on; its error is the waiter's."""
        if self._helper is not None and not self._helper.done():
            work.close()
            return
        self._helper = asyncio.create_task(work)
        self._helper.add_done_callback(self._helped)

    def _helped(self, helper: asyncio.Task[None]) -> None:
        if not helper.cancelled() and (error := helper.exception()) is not None:
            self.fail(error)
        if self._for_helper:
            self._wake()

    def end(self) -> None:
        """Nobody waits any more."""
        if self._helper is not None:
            self._helper.cancel()

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


def receipt_from(command: Command, stored: bytes) -> Receipt:
    """The receipt as a game's receipts keep it: the version of an accepted command, else the receipt's JSON."""
    if stored[:1] == b"{":
        return decode_receipt(stored)
    return Receipt(command=command.id, game=command.game, status="accepted", version=int(stored))
