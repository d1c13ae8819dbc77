"""How each ruleset looks at the terminal: `games/<ruleset>.py` with a class `Drawn`. None is needed."""
