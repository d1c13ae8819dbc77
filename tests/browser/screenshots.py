"""Pictures of every page, to be looked at: `python tests/browser/screenshots.py FOLDER [WORD …]`.

Each page at 360, 900 and 1400 px, light and dark; with words, only those pages whose name holds one of them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.chromium import chromium
from support.site import Site

WIDTHS = (360, 900, 1400)


def pages_of(site: Site) -> dict[str, tuple[str, str]]:
    """Name → (address, what must be there before the picture is taken)."""
    bots = ["bot:random:ann", "bot:random:bob", "bot:random:cy"]
    over = site.open("perudo", bots, options={"dice_per_player": 3})
    site.finished(over)
    pages = {
        "lobby": ("#/", "[data-game]"),
        "new": ("#/new", ".seats li"),
        "replay": (f"#/replay/{over}?v=7&as=audit", ".feed li"),
        "table-over": (f"#/table/{over}", ".g-result"),
        "proof": (f"#/proof/{over}", ".facts .hash"),
        "operations": ("#/operations", ".matrix"),
    }
    for ruleset in site.ask("rulesets"):
        game = site.open(ruleset["name"], ["me", *bots[:2]], clock={"turn_ms": 600_000})
        pages[f"table-{ruleset['name']}"] = (
            f"#/table/{game}?token={site.mint('seat', game, seat=0)}",
            ".feed li",
        )
    return pages


def main(folder: Path, words: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser, Site() as site:
        pages = pages_of(site)
        audit = site.mint("audit")
        for scheme in ("light", "dark"):
            context = browser.new_context(base_url=site.url, color_scheme=scheme)
            page = context.new_page()
            page.goto(f"/#token={audit}")
            page.goto(f"/#token={site.host}")
            for name, (address, there) in pages.items():
                if words and not any(word in name for word in words):
                    continue
                page.goto("/" + address)
                page.locator(there).first.wait_for()
                if name == "proof":
                    page.get_by_role("button", name="Verify in this browser").click()
                    page.locator("[data-summary]").wait_for()
                page.wait_for_timeout(400)
                for width in WIDTHS:
                    page.set_viewport_size({"width": width, "height": 900})
                    file = folder / f"{name}-{width}-{scheme}.png"
                    page.screenshot(path=file, full_page=True)
                    print(file)
            context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
