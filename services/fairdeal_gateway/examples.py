"""Examples for the OpenAPI document, of one game of Perudo that is really played, on the local table."""

from typing import Any, Final

import msgspec

from fairdeal.game import Player
from fairdeal.games import perudo
from fairdeal.receipt import Receipt
from fairdeal_gateway.frames import Sight
from fairdeal_gateway.records import NewCommand, NewGame, NewToken, Opened, TokenInfo
from fairdeal_gateway.tokens import Minted
from fairdeal_local import Table
from fairdeal_views.fold import Fold

GAME: Final = "g42"
_KEY: Final = "b7d1c5e0"
_DAY: Final = 1_796_126_400_000


def examples() -> dict[str, dict[str, Any]]:
    """Named examples by operation: `<operation>:request` for its body, `<operation>` for its answer."""
    table = Table.open("perudo", players=["ann", "bob"], name=GAME, dealer=7)
    bid = perudo.Bid(quantity=2, face=5)
    turn = table.view("table").to_act[0]
    table.act(turn, bid)
    created = Receipt(_KEY, GAME, "accepted", version=1)
    accepted = Receipt(_KEY, GAME, "accepted", version=table.version)
    seat = NewToken("seat", GAME, 0, expires_s=3600)
    watch = NewToken("watch", GAME, delay_commits=3)
    shown: dict[str, dict[str, Any]] = {
        "create_game:request": {
            "two players": NewGame(
                "perudo", (Player("ann"), Player("bob")), {"dice_per_player": 3}, game=GAME
            )
        },
        "create_game": {"created": Opened(GAME, created)},
        "send_command:request": {"a bid": NewCommand(bid, expect=1)},
        "send_command": {"accepted": accepted},
        "view": {"the table": msgspec.Raw(table.encoded()["table"])},
        "replay": {"the second step": {"frames": [_frame(table)], "head": table.version, "next": None}},
        "mint_token:request": {"for a player": seat, "for spectators, three moves behind": watch},
        "mint_token": {"minted": Minted("eyJhbGciOi…", "S21SCxgHbVm4bd4q", _DAY)},
        "token": {"a player's": TokenInfo("seat", GAME, 0, _DAY, 0, 0)},
    }
    return shown


def _frame(table: Table) -> msgspec.Raw:
    fold = Fold(GAME)
    for commit in table.log:
        fold.apply(commit)
    return msgspec.Raw(Sight(fold).frame("table", commit.events).json)
