"""`fairdeal play` on a table in this process."""

import pytest
from typer.testing import CliRunner

from fairdeal_cli import play
from fairdeal_cli.app import app
from fairdeal_local import Seeded, Table

runner = CliRunner()


@pytest.fixture(autouse=True)
def ann_sits_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """The person is called `me` and the dealer deals alike each time."""
    monkeypatch.setattr(play, "person", lambda: "me")
    monkeypatch.setattr(play, "new_seed", lambda: Seeded(5))


def test_a_person_plays_asks_for_help_errs_and_quits() -> None:
    typed = "help\nnonsense\n1 7\n" + "dudo\n" + "quit\n"
    result = runner.invoke(app, ["play", "perudo", "--bots", "1", "-o", "dice_per_player=2"], input=typed)
    assert result.exit_code == 0, result.output
    assert "me" in result.output
    assert "ann" in result.output
    assert "Type a bid such as" in result.output
    assert "That is no move" in result.output
    assert "Not allowed:" in result.output
    assert "me resigns." in result.output
    assert "ann wins" in result.output
    assert "You leave the table." in result.output


def test_the_end_of_the_input_leaves_the_table() -> None:
    result = runner.invoke(app, ["play"], input="")
    assert result.exit_code == 0, result.output
    assert "You leave the table." in result.output
    assert "resigns" not in result.output


def test_a_game_is_played_to_its_end() -> None:
    # The opener bids too much to be true; whoever may doubt it does. Both always are legal.
    result = runner.invoke(
        app, ["play", "perudo", "--bots", "1", "-o", "dice_per_player=1"], input="dudo\n2 6\n" * 50
    )
    assert result.exit_code == 0, result.output
    assert "reveals the seed" in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["play", "chess"], "There is no ruleset 'chess'"),
        (["play", "perudo", "--bots", "9"], "perudo takes 2 to 6 seats"),
        (["play", "perudo", "-o", "calza"], "name=value"),
        (["play", "perudo", "-o", "calza=maybe"], "calza"),
    ],
)
def test_what_cannot_be_played_says_why_and_what_next(arguments: list[str], said: str) -> None:
    result = runner.invoke(app, arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "next" in result.stderr
    assert "Traceback" not in result.output


def test_a_bots_name_is_never_the_persons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("LOGNAME", "ann")
    table: Table = play.open_table("perudo", None, [])
    assert len(set(table.players)) == len(table.players) == 4
