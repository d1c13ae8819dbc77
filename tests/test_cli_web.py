"""The gateway beside the workers: a port that is taken is named before anything says that all runs."""

import socket

import pytest

from fairdeal_cli.parts import Parts
from fairdeal_cli.problems import Problem
from fairdeal_cli.web import start_web
from fairdeal_worker.settings import Settings


class NothingStarts(Parts):
    """Parts that may not be asked to start a gateway."""

    def __init__(self) -> None:
        pass

    def start_gateway(self, port: int, secret: str) -> None:  # type: ignore[override]
        raise AssertionError(f"a gateway was started on port {port}, which is taken")


def test_a_port_that_is_taken_is_refused_with_the_option_that_names_another() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Problem, match=f"could not listen on 127.0.0.1:{port}") as told:
            start_web(NothingStarts(), Settings(), port)
    assert "--http-port" in told.value.then
