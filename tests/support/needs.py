"""What a test needs from outside: where it is missing the test is skipped, in CI it fails."""

import os

import pytest


def skip_unless(there: object, reason: str) -> None:
    """Skip the test with the reason unless `there`; with `FAIRDEAL_CI=1`, which promises all, fail it."""
    if there:
        return
    if os.environ.get("FAIRDEAL_CI") == "1":
        pytest.fail(f"{reason}. FAIRDEAL_CI=1 makes this a failure")
    pytest.skip(reason)
