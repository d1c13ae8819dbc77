"""The web page's files, from the folder `web` beside this one: compressed, with an ETag each."""

import gzip
import hashlib
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import brotli
from litestar import HttpMethod, Request, Response, route
from litestar.params import FromPath

from fairdeal_gateway.problems import Refused

WEB: Final = Path(__file__).parent / "web"

_TYPES: Final = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}

_PACKED: Final = (".png", ".ico", ".woff2")
"""What is compressed already."""


_REFUSED: Final = re.compile(r";q=0(\.0*)?$")
"""A coding that is not wanted (RFC 9110 §12.5.3)."""

_READ: Final = (HttpMethod.GET, HttpMethod.HEAD)


@route(["/", "/index.html"], http_method=_READ, status_code=200, sync_to_thread=False)
def index(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The page."""
    return _answer(request, "index.html")


@route("/web/{path:path}", http_method=_READ, status_code=200, sync_to_thread=False)
def web_file(request: Request[Any, Any, Any], path: FromPath[str]) -> Response[bytes]:
    """One of its files."""
    return _answer(request, str(path).lstrip("/"))


def _answer(request: Request[Any, Any, Any], name: str) -> Response[bytes]:
    file = _file(name)
    if file is None:
        raise Refused(404, "not_found", "There is no such page")
    coding = _coding(request, file)
    content, tag = _content(file, file.stat().st_mtime_ns, coding)
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    if coding:
        headers["Content-Encoding"] = coding
    return Response(content, media_type=_TYPES[file.suffix], headers=headers)


def _file(name: str) -> Path | None:
    """The page's file of this name; None when there is none, whatever the name is."""
    try:
        file = (WEB / name).resolve()
        known = file.is_relative_to(WEB.resolve()) and file.suffix in _TYPES and file.is_file()
    except (OSError, ValueError):  # longer than a name may be, or with a NUL in it
        return None
    return file if known else None


def _coding(request: Request[Any, Any, Any], file: Path) -> str:
    if file.suffix in _PACKED:
        return ""
    given = request.headers.get("accept-encoding", "").replace(" ", "").lower().split(",")
    accepted = {coding.partition(";")[0] for coding in given if not _REFUSED.search(coding)}
    return "br" if "br" in accepted else "gzip" if "gzip" in accepted else ""


@lru_cache(maxsize=512)
def _content(file: Path, changed_ns: int, coding: str) -> tuple[bytes, str]:
    """A file's bytes as they are sent, and their ETag; read anew when the file has changed."""
    content = file.read_bytes()
    tag = hashlib.sha256(content).hexdigest()[:20]
    if coding == "br":
        return brotli.compress(content, quality=9), f'"{tag}-br"'
    if coding == "gzip":
        return gzip.compress(content, mtime=0), f'"{tag}-gz"'
    return content, f'"{tag}"'


PAGES: Final[list[Any]] = [index, web_file]
