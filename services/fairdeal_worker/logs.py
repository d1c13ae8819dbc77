"""Logs: structlog, one event a line; JSON in production, readable at a terminal."""

import logging
import sys
from typing import TYPE_CHECKING, Any, TextIO, cast

import structlog
import structlog.tracebacks

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger, Processor

    from fairdeal_worker.settings import Settings


_no_locals = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
"""Tracebacks without local variables: those hold hands, offers and whole commands."""


def configure_logs(settings: "Settings", stream: TextIO = sys.stderr) -> None:
    """Send structlog's and the libraries' own logs to `stream`, in the form that the settings ask for."""
    as_json = settings.log == "json" or (settings.log == "auto" and not stream.isatty())
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    last: list[Processor] = (
        [structlog.processors.ExceptionRenderer(_no_locals), structlog.processors.JSONRenderer()]
        if as_json
        else [
            structlog.dev.ConsoleRenderer(
                colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback
            )
        ]
    )
    structlog.configure(
        processors=[*shared, *last],
        wrapper_class=structlog.make_filtering_bound_logger(settings.log_level),
        logger_factory=structlog.WriteLoggerFactory(stream),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


def logger(**bound: Any) -> "FilteringBoundLogger":
    """A logger with these fields on every line."""
    return cast("FilteringBoundLogger", structlog.get_logger(**bound))
