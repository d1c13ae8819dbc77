"""The application: routes, errors, limits and headers, put together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Any, Final

from litestar import Litestar, Request, Response
from litestar.config.cors import CORSConfig
from litestar.datastructures import MutableScopeHeaders
from litestar.di import Provide
from litestar.exceptions import HTTPException, ValidationException
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from fairdeal_gateway.access import granted
from fairdeal_gateway.gateway import Gateway
from fairdeal_gateway.openapi import openapi
from fairdeal_gateway.operations import operations
from fairdeal_gateway.pages import PAGES
from fairdeal_gateway.problems import CONTENT_TYPE, Refused, malformed, refused_for
from fairdeal_gateway.routes import ROUTES
from fairdeal_gateway.sockets import game_socket

_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def make_app(gateway: Gateway) -> ASGIApp:
    """The ASGI application of a gateway; its lifespan starts and closes the gateway."""

    def get_gateway() -> Gateway:
        return gateway

    def answer_error(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
        return _problem(gateway, error)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        gateway.start()
        try:
            yield
        finally:
            await gateway.close()

    app = Litestar(
        [*ROUTES, operations, openapi, game_socket, *PAGES],
        dependencies={
            "gateway": Provide(get_gateway, sync_to_thread=False),
            "grant": Provide(granted),
        },
        exception_handlers={Exception: answer_error},
        lifespan=[lifespan],
        request_max_body_size=gateway.settings.max_body,
        cors_config=_cors(gateway.own.cors),
        openapi_config=None,
        logging_config=None,
    )
    return _with_headers(app, gateway)


def _problem(gateway: Gateway, error: Exception) -> Response[bytes]:
    refused = _of_the_framework(error) or refused_for(error, "request_failed", gateway.log)
    return Response(
        refused.body,
        status_code=refused.problem.status,
        media_type=CONTENT_TYPE,
        headers={"Cache-Control": "no-store", **refused.headers, **(getattr(error, "headers", None) or {})},
    )


def _of_the_framework(error: Exception) -> Refused | None:
    """A fault that the framework found before any of our code."""
    if isinstance(error, ValidationException):
        extra = error.extra[0] if isinstance(error.extra, list) and error.extra else {}
        return malformed(str(extra.get("message", error.detail)), extra.get("key"))
    if not isinstance(error, HTTPException):
        return None
    match error.status_code:
        case 404:
            return Refused(404, "not_found", "There is nothing at this address")
        case 405:
            return Refused(405, "method_not_allowed", "This address takes other methods")
        case 413:
            return Refused(413, "too_large", "The body is larger than a command may be")
        case status if status < 500:
            return Refused(status, "malformed", error.detail)
    return None


def _cors(origins: str) -> CORSConfig | None:
    allowed = [origin.strip() for origin in origins.split(",") if origin.strip()]
    if not allowed:
        return None
    return CORSConfig(
        allow_origins=allowed,
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID"],
        expose_headers=["Retry-After"],
        max_age=600,
    )


def _with_headers(app: Litestar, gateway: Gateway) -> ASGIApp:
    """Security headers on every answer, and one line in the log for each; never a query, never a header."""

    allowed = {
        route.path_format: ", ".join(sorted(route.methods))
        for route in app.routes
        if isinstance(route, HTTPRoute)
    }

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        began = perf_counter()

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableScopeHeaders.from_message(message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if scope.get("method") == "OPTIONS" and "allow" in headers:
                    # The framework names the methods of one handler, and not those of the address.
                    headers["allow"] = allowed.get(scope.get("path_template", ""), headers["allow"])
                _log(gateway, scope, message["status"], perf_counter() - began)
            await send(message)

        await app(scope, receive, send if scope["type"] in ("websocket", "lifespan") else send_with_headers)

    return wrapped


def _log(gateway: Gateway, scope: Scope, status: int, took_s: float) -> None:
    handler = scope.get("route_handler")
    gateway.log.debug(
        "request",
        method=scope.get("method"),
        route=min(handler.paths, default=None) if handler is not None else None,
        game=(scope.get("path_params") or {}).get("game"),
        status=status,
        ms=round(took_s * 1000, 1),
    )
