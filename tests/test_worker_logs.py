"""What a worker's log says, and what it never does."""

import io
import json

import pytest
import structlog

from fairdeal_worker.logs import configure_logs
from fairdeal_worker.settings import Settings


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_traceback_holds_no_hands(form: str) -> None:
    kept = structlog.get_config()
    out = io.StringIO()
    try:
        configure_logs(Settings(log=form), out)  # type: ignore[arg-type]
        dice = (6, 6, 5, 4, 31337)
        try:
            raise ValueError(f"the rules crashed with {len(dice)} dice")
        except ValueError as error:
            structlog.get_logger().bind(game="g1").error("command_failed", exc_info=error)
    finally:
        structlog.configure(**kept)
    said = out.getvalue()
    assert "the rules crashed" in said
    assert "test_worker_logs" in said
    assert "31337" not in said
    if form == "json":
        assert json.loads(said)["game"] == "g1"
