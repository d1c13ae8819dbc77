"""Each watcher is an open file: how many a process may have."""

import contextlib


def allow_many_files() -> None:
    """Raise this process's own limit of open files to the most that the system grants; elsewhere do nothing."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
