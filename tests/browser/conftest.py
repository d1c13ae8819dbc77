"""A deployment and a browser for each file of tests, and a page that must not complain for each test."""

from collections.abc import Iterator
from typing import Any

import pytest

from support.chromium import chromium
from support.site import Site


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as one:
        yield one


@pytest.fixture(scope="module")
def site(browser: Any) -> Iterator[Site]:
    """It comes after the browser: where there is none nothing is started."""
    with Site() as one:
        yield one


@pytest.fixture
def complaints() -> list[str]:
    """What the page's console said that is an error; a test that provokes some clears them."""
    return []


@pytest.fixture
def page(browser: Any, site: Site, complaints: list[str]) -> Iterator[Any]:
    """A page of a new visitor, 1200 px wide. Whatever its console holds against it fails the test."""
    context = browser.new_context(base_url=site.url, viewport={"width": 1200, "height": 900})
    context.set_default_timeout(20_000)
    page = context.new_page()
    page.on("console", lambda said: complaints.extend([said.text] if said.type == "error" else []))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []
