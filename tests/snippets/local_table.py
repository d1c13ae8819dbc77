from fairdeal.games import perudo
from fairdeal_local import Scripted, Table
from fairdeal_rules import Rejected

table = Table.open(
    "perudo",
    players=["ann", "bob"],
    options={"dice_per_player": 2},
    dealer=Scripted([3, 6, 2, 5, 6, 1, 4, 4, 4]),  # the roll for the start, both hands, the next round's
)
assert table.view("table").to_act == (1,)  # bob rolled the six
assert table.view(1).hand.dice == (6, 1)  # ann's are not in this view

table.act(1, perudo.Bid(quantity=3, face=6))
try:
    table.act(0, {"type": "perudo.bid", "quantity": 2, "face": 6})
except Rejected as refused:
    print(refused.code, refused.message)  # and nothing has changed

commit = table.act(0, perudo.Dudo())
print([type(event).__name__ for event in commit.events])
print(table.version, table.finished, table.view("table").table.dice)
