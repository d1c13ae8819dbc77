"""Choosing a ruleset and its options: what a shell completes, and what is said of one that there is not."""

import os
from typing import Annotated

import msgspec
import typer

from fairdeal.games import RULESETS
from fairdeal_cli.problems import Problem


def complete_ruleset(incomplete: str) -> list[str]:
    """The rulesets that begin so."""
    return [name for name in RULESETS if name.startswith(incomplete)]


def complete_option(incomplete: str) -> list[str]:
    """The presets, and the options with their defaults, of the ruleset that the command line names so far."""
    from fairdeal_cli.about import describe

    # While an option lacks its value the line cannot be parsed; the shell hands its words over as they are.
    typed = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    ruleset = next((word for word in typed.split() if word in RULESETS), None)
    if ruleset is None:
        return []
    described = describe(ruleset)
    words = [f"preset={name}" for name in described["presets"]]
    words += (
        f"{name}={msgspec.json.encode(option['default']).decode()}"
        for name, option in described["options"].items()
    )
    return [word.replace('"', "") for word in words if word.startswith(incomplete)]


Ruleset = Annotated[
    str, typer.Argument(help="Which game; see `fairdeal rulesets`.", autocompletion=complete_ruleset)
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        help="A rule, `name=value`; see `fairdeal rulesets`.",
        autocompletion=complete_option,
    ),
]


def check_ruleset(ruleset: str) -> None:
    """Raise `Problem` for a ruleset that this release does not know."""
    if ruleset not in RULESETS:
        raise Problem(f"There is no ruleset {ruleset!r}", "", f"Choose among {', '.join(RULESETS)}")
