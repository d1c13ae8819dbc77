"""A browser for tests: Playwright's client with the system's own Chromium, and axe-core to look for barriers."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from support.needs import skip_unless

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def chromium_path() -> str | None:
    """Where Chromium is: `FAIRDEAL_CHROMIUM`, then the PATH."""
    named = os.environ.get("FAIRDEAL_CHROMIUM")
    return (
        named or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    )


@contextmanager
def chromium() -> Iterator["Browser"]:
    """A browser without a window. Skips the test where Playwright or Chromium is missing."""
    path = chromium_path()
    skip_unless(path, "There is no Chromium on the PATH: apt-get install chromium, or set FAIRDEAL_CHROMIUM")
    skip_unless(find_spec("playwright"), "Playwright is not installed: pip install playwright")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def barriers(page: "Page") -> list[str]:
    """What axe-core finds that is serious or critical for people with disabilities, in words.

    `FAIRDEAL_AXE` names the file `axe.min.js`; without it the test is skipped.
    """
    named = os.environ.get("FAIRDEAL_AXE", "")
    there = bool(named) and Path(named).is_file()
    skip_unless(there, "FAIRDEAL_AXE names no axe.min.js: npm install axe-core, and set it to that file")
    page.evaluate(Path(named).read_text())
    found: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']} ({one['impact']}): {node['html'][:160]} {node['failureSummary'][:300]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]
