"""How a function becomes a command: its common options, its errors in words, its exit code.

A command may be `async`. A parameter of type `Settings` becomes the options that say which deployment is
meant; every command has `--traceback`.
"""

import asyncio
import inspect
from collections.abc import Callable
from typing import Annotated, Any, TypeVar, get_type_hints

import typer
from redis.exceptions import AuthenticationError, RedisError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from fairdeal.client.errors import ClientError, NoDeployment, UnknownGame, Unreachable
from fairdeal.connect import BadAddress, without_password
from fairdeal_cli.console import complain
from fairdeal_cli.ids import checks_in
from fairdeal_cli.problems import NO_DEPLOYMENT, NO_GAME, NO_REDIS, Exit, Problem
from fairdeal_worker.deployment import DeploymentMismatch
from fairdeal_worker.settings import BadSettings, Settings, settings_from

F = TypeVar("F", bound=Callable[..., Any])

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
RedisUrl = Annotated[
    str | None, typer.Option("--redis-url", metavar="URL", help="Which Redis. Default: FAIRDEAL_REDIS_URL.")
]
Namespace = Annotated[
    str | None, typer.Option("--namespace", metavar="NAME", help="Which deployment in it. Default: fairdeal.")
]
Traceback = Annotated[bool, typer.Option("--traceback", help="Show where in the code an error came from.")]

_ADDED = {"redis_url": (RedisUrl, None), "namespace": (Namespace, None), "traceback": (Traceback, False)}


def command(app: typer.Typer, name: str, panel: str | None = None, **config: Any) -> Callable[[F], F]:
    """Register a function as `fairdeal <name>`; its docstring is the help."""

    def register(function: F) -> F:
        app.command(name, rich_help_panel=panel, **config)(_wrapped(function))
        return function

    return register


def _wrapped(function: Callable[..., Any]) -> Callable[..., None]:
    hints = get_type_hints(function, include_extras=True)
    hints.pop("return", None)
    checks = {name: found for name, hint in hints.items() if (found := checks_in(hint))}
    takes_settings = next((name for name, hint in hints.items() if hint is Settings), None)

    def run(**given: Any) -> None:
        traceback = given.pop("traceback")
        try:
            for name, found in checks.items():
                for check in found if given[name] is not None else ():
                    check(given[name])
            if takes_settings:
                redis_url, namespace = given.pop("redis_url"), given.pop("namespace")
                given[takes_settings] = settings_from(redis_url=redis_url, namespace=namespace)
            result = function(**given)
            if inspect.isawaitable(result):
                asyncio.run(_finish(result))
        except (typer.Exit, typer.Abort, typer.BadParameter, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            raise typer.Exit(Exit.INTERRUPTED) from None
        except Exception as error:
            if traceback:
                raise
            settings = given.get(takes_settings) if takes_settings else None
            address = (
                without_password(settings.redis_url) if isinstance(settings, Settings) else "its address"
            )
            problem = explained(error, address)
            complain(problem, as_json=bool(given.get("as_json")))
            raise typer.Exit(problem.code) from None

    own = [
        parameter.replace(annotation=hints[name])
        for name, parameter in inspect.signature(function).parameters.items()
        if name != takes_settings
    ]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
        for name, (annotation, default) in _ADDED.items()
        if (takes_settings or name == "traceback") and name not in hints
    ]
    parameters = [*own, *added]
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    )
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__name__, run.__doc__ = function.__name__, function.__doc__
    return run


async def _finish(awaitable: Any) -> None:
    await awaitable


def explained(error: Exception, address: str) -> Problem:
    """What a person is told about an exception."""
    match error:
        case Problem():
            return error
        case BadSettings():
            return Problem("A setting cannot be used", str(error), "Correct it and try again")
        case DeploymentMismatch():
            return Problem("This process does not fit the deployment", str(error))
        case UnknownGame():
            return Problem(f"There is no game {error.game} to be played or seen", str(error), NO_GAME)
        case NoDeployment():
            return Problem("There is no deployment to talk to", str(error), NO_DEPLOYMENT)
        case Unreachable():
            return Problem(f"Redis at {address} does not answer", str(error), NO_REDIS)
        case ClientError():
            return Problem("The service did not do it", str(error), "Ask `fairdeal doctor` what is wrong")
        case BadAddress():
            return Problem(
                "That Redis address cannot be used", str(error), "Correct --redis-url or FAIRDEAL_REDIS_URL"
            )
        case AuthenticationError():
            return Problem(
                f"Redis at {address} does not let us in",
                str(error),
                "Put user and password into the URL: redis://user:password@host",
            )
        case RedisConnectionError() | RedisTimeoutError():
            return Problem(
                f"Redis at {address} does not answer",
                str(error),
                NO_REDIS,
            )
        case RedisError():
            return Problem(
                f"Redis at {address} refused", str(error), "Ask `fairdeal doctor` what is wrong with it"
            )
        case _:
            return Problem(
                f"Something went wrong inside fairdeal: {type(error).__name__}",
                str(error),
                "This is a defect. Run the command again with --traceback and report what it prints",
            )
