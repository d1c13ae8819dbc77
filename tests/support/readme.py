"""Snippets in a README are files, so that they can be run: the two may not differ."""

import os
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
UPDATE = "FAIRDEAL_UPDATE_README"
"""Set to 1 to put the files' text into the README."""

_SNIPPET = re.compile(r"<!-- (?P<path>\S+) -->\n```(?P<language>\w+)\n(?P<text>.*?)```", re.DOTALL)


def same_snippets(readme: Path) -> list[str]:
    """The paths of a README's snippets, each of which holds exactly the text that is shown."""
    text = readme.read_text(encoding="utf-8")
    if os.environ.get(UPDATE) == "1":
        text = _SNIPPET.sub(
            lambda m: f"<!-- {m['path']} -->\n```{m['language']}\n{_file(m['path'])}```", text
        )
        readme.write_text(text, encoding="utf-8")
    found = list(_SNIPPET.finditer(text))
    for match in found:
        assert match["text"] == _file(match["path"]), (
            f"{match['path']} and {readme} differ: run with {UPDATE}=1"
        )
    return [match["path"] for match in found]


def _file(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")
