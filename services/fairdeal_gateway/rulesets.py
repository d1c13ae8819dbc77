"""What can be played, for whoever makes a form of it."""

from functools import cache

from fairdeal.games import RULESETS, game_module
from fairdeal.schema.records import document, summary_of
from fairdeal_bots import bots_of
from fairdeal_gateway.records import RulesetInfo
from fairdeal_rules.ruleset import rules_for


@cache
def rulesets() -> tuple[RulesetInfo, ...]:
    """Every ruleset of this release."""
    return tuple(_info(name) for name in RULESETS)


def _info(name: str) -> RulesetInfo:
    rules = rules_for(name)
    options = game_module(name).Options
    return RulesetInfo(
        name=rules.name,
        version=rules.version,
        seats=rules.players,
        options=document(options, f"Options of {name}", summary_of(options)),
        presets=rules.presets,
        bots=list(bots_of(name)),
    )
