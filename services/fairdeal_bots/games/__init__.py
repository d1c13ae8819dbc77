"""Bots that know a game: `games/<ruleset>.py` with `BOTS`, by name. `random` plays every ruleset without one."""
