"""Start a child process that never outlives this one, not even when this one is killed.

On Linux the kernel sees to it: the child asks for a signal at its parent's death and then becomes the
command. Elsewhere a second process watches both and ends the child once the parent is gone.

The file is also a program, run by path and with the standard library only, so that it starts fast.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any, Final

_PR_SET_PDEATHSIG: Final = 1
_POLL_S: Final = 0.2
_PATIENCE_S: Final = 5.0


def start(
    argv: Sequence[str], *, at_death: signal.Signals, kernel: bool = sys.platform == "linux", **options: Any
) -> "subprocess.Popen[bytes]":
    """Start `argv` in a session of its own (Ctrl-C is the parent's), to get `at_death` when the parent dies.

    The returned process is the command's own: its pid is where signals go. Call it from the main thread: on
    Linux a parent is a thread. Raises OSError.
    """
    mine = [sys.executable, "-I", "-S", __file__]
    if kernel:
        leashed = [*mine, "become", str(os.getpid()), str(int(at_death)), *argv]
        return subprocess.Popen(leashed, start_new_session=True, **options)  # noqa: S603
    child = subprocess.Popen(list(argv), start_new_session=True, **options)  # noqa: S603
    subprocess.Popen(  # noqa: S603
        [*mine, "watch", str(os.getpid()), str(int(at_death)), str(child.pid)],
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return child


def stop(process: "subprocess.Popen[bytes]", patience_s: float = _PATIENCE_S) -> None:
    """End a child in good order, and by force once the patience is over; returns when it is gone."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(patience_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _become(parent: int, at_death: int, argv: list[str]) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, at_death, 0, 0, 0)
    if os.getppid() != parent:
        return  # it died before the kernel was asked
    os.execvp(argv[0], argv)  # noqa: S606


def _watch(parent: int, at_death: int, child: int) -> None:
    while _alive(child):
        if os.getppid() != parent:
            _signal(child, at_death)
            patience = time.monotonic() + _PATIENCE_S
            while _alive(child) and time.monotonic() < patience:
                time.sleep(_POLL_S)
            _signal(child, signal.SIGKILL)
            return
        time.sleep(_POLL_S)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


if __name__ == "__main__":
    mode, parent_pid, signal_number, *rest = sys.argv[1:]
    if mode == "become":
        _become(int(parent_pid), int(signal_number), rest)
    else:
        _watch(int(parent_pid), int(signal_number), int(rest[0]))
