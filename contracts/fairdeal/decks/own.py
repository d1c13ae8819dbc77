"""Decks that a deployment brings of its own: TOML files that a process reads once, at its start.

A ruleset that takes them has a `Shelf` named `DECKS` in its contract. Games ask their shelf and know neither
files nor settings; `load_decks` is what fills the shelves, from the folder that `FAIRDEAL_DECKS` names.
"""

import hashlib
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import msgspec

from fairdeal.faults import fault

D = TypeVar("D", bound=msgspec.Struct)

NAME: Final = r"^[A-Za-z0-9_-]{1,64}$"
"""What a deck may be called: its file is `<name>.toml`."""


class BadDeck(ValueError):
    """A deck that cannot be played; the message names the file, the card and the field."""

    def __init__(self, file: str, card: str, field: str, message: str) -> None:
        super().__init__(": ".join(part for part in (file, card, field, message) if part))
        self.file = file
        self.card = card
        self.field = field


class UnknownDeck(LookupError):
    """A deck that this process does not have."""


class Shelf(Generic[D]):
    """The decks that one ruleset may be played with: by name for new games, by what they hold for all others."""

    def __init__(
        self, ruleset: str, read: Callable[[str, Mapping[str, Any]], D], house_name: str, house: D
    ) -> None:
        """`read` makes a deck of a file's name and its tables, or raises `BadDeck`."""
        self._ruleset = ruleset
        self._read = read
        self._house_name = house_name
        self._named: dict[str, str] = {}
        self._by_sha256: dict[str, D] = {}
        self._add(house_name, house)

    def _add(self, name: str, deck: D) -> None:
        sha256 = self._named[name] = sha256_of(deck)
        self._by_sha256[sha256] = deck

    def put(self, files: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
        """Put the decks of these files (name without `.toml`, tables) on the shelf, all or none.

        Raises `BadDeck`, also for the house's name.
        """
        decks = {}
        for name, tables in files:
            if name == self._house_name:
                raise BadDeck(f"{name}.toml", "", "", "This is what the house's own deck is called")
            decks[name] = self._read(f"{name}.toml", tables)
        for name, deck in decks.items():
            self._add(name, deck)

    @property
    def names(self) -> list[str]:
        """What the decks are called, the house's first."""
        return list(self._named)

    def sha256(self, name: str) -> str:
        """What the deck holds that a new game asks for by its name, as `sha256_of` says it. Raises `UnknownDeck`."""
        sha256 = self._named.get(name)
        if sha256 is None:
            raise UnknownDeck(f"There is no deck {name!r}; there are: {', '.join(self._named)}")
        return sha256

    def named(self, name: str) -> D:
        """The deck that is called so now. Raises `UnknownDeck`."""
        return self.holding(self.sha256(name))

    def holding(self, sha256: str) -> D:
        """The deck that holds exactly this, whatever it is called now. Raises `UnknownDeck`."""
        deck = self._by_sha256.get(sha256)
        if deck is None:
            raise UnknownDeck(
                f"No deck of {self._ruleset} here has the SHA-256 {sha256}: put the file that the game was "
                "played with back into the folder of FAIRDEAL_DECKS, under any name"
            )
        return deck


def sha256_of(deck: msgspec.Struct) -> str:
    """What a deck holds, as 64 hex digits: the SHA-256 of its JSON. Comments and spaces of its file do not count."""
    return hashlib.sha256(msgspec.json.encode(deck, order="deterministic")).hexdigest()


def load_decks(folder: Path | str) -> list[str]:
    """Read every `*.toml` of a folder and put it on its ruleset's shelf; the names of the decks.

    A file says at its top for which ruleset it is: `ruleset = "perekupai"`. Raises `BadDeck`.
    """
    from fairdeal.games import RULESETS, game_module

    shelves = {
        ruleset: shelf for ruleset in RULESETS if (shelf := getattr(game_module(ruleset), "DECKS", None))
    }
    found: dict[str, dict[str, dict[str, Any]]] = {ruleset: {} for ruleset in shelves}
    folder = Path(folder)
    if not folder.is_dir():
        raise BadDeck(str(folder), "", "", "There is no such folder")
    for file in sorted(folder.glob("*.toml")):
        tables = _tables_of(file)
        ruleset = tables.pop("ruleset", None)
        if not isinstance(ruleset, str) or ruleset not in shelves:
            raise BadDeck(
                file.name,
                "",
                "ruleset",
                f"Say at the top for which it is; these take decks: {', '.join(shelves)}",
            )
        found[ruleset][file.stem] = tables
    for ruleset, files in found.items():
        shelves[ruleset].put(files.items())
    return [name for files in found.values() for name in files]


def _tables_of(file: Path) -> dict[str, Any]:
    if not re.fullmatch(NAME, file.stem):
        raise BadDeck(file.name, "", "", "A deck is called by 1 to 64 letters, digits, `_` and `-`")
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadDeck(file.name, "", "", f"It cannot be read as TOML: {error}") from None


_PATH: Final = re.compile(r"\$\.(\w+)(?:\[(\d+)\])?\.?(.*)")


def convert_deck(file: str, tables: Mapping[str, Any], kind: type[D]) -> D:
    """The record of a deck from its tables. Raises `BadDeck` that calls a card by its `id`."""
    try:
        return msgspec.convert(tables, kind)
    except msgspec.ValidationError as error:
        message, path = fault(error)
        found = _PATH.fullmatch(path)
        if found is None:
            raise BadDeck(file, "", path.removeprefix("$").removeprefix("."), message) from None
        table, number, field = found.groups()
        card = f"{table} {_id_of(tables, table, int(number))}" if number else table
        raise BadDeck(file, card, field, message) from None


def _id_of(tables: Mapping[str, Any], table: str, number: int) -> str:
    entry = tables[table][number]
    id = entry.get("id") if isinstance(entry, dict) else None
    return id if isinstance(id, str) else f"number {number + 1}"
