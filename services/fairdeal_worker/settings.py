"""Settings of a process, from the environment: `FAIRDEAL_<NAME>`. Every module gets them as an argument."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import msgspec

from fairdeal.decks.own import BadDeck, load_decks
from fairdeal.wire import DEFAULT_NAMESPACE, DEFAULT_PARTITIONS, GAME_ID

Positive = Annotated[int, msgspec.Meta(ge=1)]

S = TypeVar("S", bound=msgspec.Struct)


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Each field is read from `FAIRDEAL_<FIELD>`; the default stands where that is not set."""

    redis_url: str = "redis://127.0.0.1:6379/0"
    """`redis://`, `rediss://` or `unix://`; `redis+cluster://` (or `rediss+cluster://`) for Redis Cluster."""
    namespace: Annotated[str, msgspec.Meta(pattern=GAME_ID)] = DEFAULT_NAMESPACE
    """Tells deployments apart that share one Redis: 1 to 64 letters, digits, `_` and `-`."""
    partitions: Annotated[int, msgspec.Meta(ge=1, le=1024)] = DEFAULT_PARTITIONS
    """Fixed when the deployment is created; a process with another number refuses to run."""
    secret: str = ""
    """What all seeds are made of, the same for all rules workers; or `FAIRDEAL_SECRET_FILE` names a file."""
    lease_ms: Annotated[int, msgspec.Meta(ge=300)] = 3000
    """How long a partition stays with a worker that has stopped renewing, ms; a third of it is one beat."""
    batch: Annotated[int, msgspec.Meta(ge=1, le=4096)] = 512
    """The most stream entries handled and committed at once."""
    poll_ms: Positive = 1000
    """How long one read blocks at the server; new entries wake it at once."""
    cache_games: Positive = 5000
    """How many games a worker keeps loaded, for each role."""
    max_body: Positive = 64 * 1024
    """The longest body of a command, bytes."""
    trim_ms: Positive = 1000
    """How often streams are trimmed behind the slowest position."""
    sweep_s: Positive = 60
    """How often projections look for games whose doorbell they missed, seconds."""
    updates_kept: Positive = 10_000
    """How many entries of each `updates` stream are kept, about."""
    replies_kept: Positive = 10_000
    """How many entries of each replies stream are kept, about."""
    replies_ttl_s: Positive = 3600
    """How long an idle replies stream lives, seconds."""
    dead_kept: Positive = 10_000
    """How many dead letters are kept for each partition, about."""
    stray_receipts_ttl_s: Positive = 3600
    """How long receipts for commands to games that do not exist are kept, seconds."""
    archive: str = ""
    """A folder for finished games; empty: they stay in Redis."""
    archive_after_s: Positive = 7 * 24 * 3600
    """How long after its end a game moves to the archive, seconds."""
    decks: str = ""
    """A folder with decks of your own, `<name>.toml` each, for rulesets that take them; empty: the house's alone."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """`debug` also logs every command."""
    log: Literal["auto", "json", "console"] = "auto"
    """`auto`: for people at a terminal, JSON otherwise."""


def bring_decks(settings: Settings) -> None:
    """Read the deployment's own decks, which a process does once, at its start. Raises `BadSettings`."""
    if settings.decks:
        try:
            load_decks(settings.decks)
        except BadDeck as error:
            raise BadSettings(f"FAIRDEAL_DECKS={settings.decks}: {error}") from None


class BadSettings(ValueError):
    """An environment variable that cannot be used; the message names it and says what it takes."""


def settings_from(environ: Mapping[str, str] | None = None, **overrides: object) -> Settings:
    """Settings from the environment; overrides that are None are ignored. Raises `BadSettings`."""
    return read_settings(Settings, ("secret",), environ, **overrides)


def read_settings(
    kind: type[S], secrets: Sequence[str], environ: Mapping[str, str] | None = None, **overrides: object
) -> S:
    """Settings of a kind from the environment; each of its `secrets` may lie in a file that `…_FILE` names.

    Overrides that are None are ignored. Raises `BadSettings`.
    """
    environ = os.environ if environ is None else environ
    given: dict[str, object] = {}
    for field in msgspec.structs.fields(kind):
        value = environ.get(f"FAIRDEAL_{field.name.upper()}")
        if value not in (None, ""):
            given[field.name] = value
    for name in secrets:
        variable = f"FAIRDEAL_{name.upper()}_FILE"
        file = environ.get(variable)
        if file and name not in given:
            try:
                given[name] = Path(file).read_text().strip()
            except OSError as error:
                raise BadSettings(f"{variable}={file} cannot be read: {error.strerror}") from None
    given.update({name: value for name, value in overrides.items() if value is not None})
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at ")
        name = path.strip("`").removeprefix("$.").upper()
        raise BadSettings(f"FAIRDEAL_{name}: {message}") from None
