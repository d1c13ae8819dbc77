"""Tokens: signed, expiring, revocable; what one allows is a `Grant`."""

import secrets
from time import time
from typing import Annotated, Any, Final, Literal

import jwt
import msgspec

from fairdeal.client.pipe import Pipe
from fairdeal.codec import fault
from fairdeal.envelope import GameId
from fairdeal.wire import revoked_key
from fairdeal_gateway.delay import Delay
from fairdeal_gateway.problems import Refused

Scope = Literal["host", "seat", "watch", "audit"]

_ALGORITHM: Final = "HS256"

Seat = Annotated[int, msgspec.Meta(ge=0, le=63)]
Commits = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
Seconds = Annotated[int, msgspec.Meta(ge=0, le=30 * 24 * 3600)]
Life = Annotated[int, msgspec.Meta(ge=1)]

DEFAULT_LIFE_S: Final = 24 * 3600
"""How long a token lives when nobody says it, seconds."""


class Grant(msgspec.Struct, frozen=True, omit_defaults=True):
    """The claims of a token: who may do what, until when (`exp`, epoch seconds), in which deployment (`ns`).

    Without `game` it is for all games. `delay_commits` and `delay_s` hold back what is newest: both must be over.
    """

    jti: str
    exp: int
    scope: Scope
    ns: str
    game: GameId | None = None
    seat: Seat | None = None
    delay_commits: Commits = 0
    delay_s: Seconds = 0

    @property
    def delay(self) -> Delay:
        """How far behind whoever brings the token is held."""
        return Delay(self.delay_commits, self.delay_s)


class TokenRequest(msgspec.Struct, frozen=True):
    """Which token is wanted. A seat's names its game and seat; a delay is for `watch` alone."""

    scope: Scope
    game: GameId | None = None
    seat: Seat | None = None
    expires_s: Life | None = None
    delay_commits: Commits = 0
    delay_s: Seconds = 0


class Minted(msgspec.Struct, frozen=True):
    """A new token. `id` revokes it, `expires_at` is in epoch milliseconds."""

    token: str
    id: str
    expires_at: int


class Mint:
    """Signs and reads the tokens of one deployment."""

    def __init__(self, secret: str, namespace: str, max_s: int) -> None:
        self._secret = secret
        self._namespace = namespace
        self._max_s = max_s

    def mint(self, wanted: TokenRequest) -> Minted:
        """A token. Raises `Refused` for one that makes no sense, or would live too long."""
        if wanted.scope == "seat" and (wanted.game is None or wanted.seat is None):
            raise _senseless("A token of the scope `seat` needs a game and a seat", "$.game")
        if wanted.scope != "seat" and wanted.seat is not None:
            raise _senseless(f"A token of the scope `{wanted.scope}` has no seat", "$.seat")
        if wanted.scope != "watch" and (wanted.delay_commits or wanted.delay_s):
            raise _senseless(f"A token of the scope `{wanted.scope}` has no delay", "$.delay_commits")
        life = wanted.expires_s if wanted.expires_s is not None else min(DEFAULT_LIFE_S, self._max_s)
        if life > self._max_s:
            raise _senseless(f"A token lives at most {self._max_s} seconds, not {life}", "$.expires_s")
        grant = Grant(
            jti=secrets.token_urlsafe(12),
            exp=int(time()) + life,
            scope=wanted.scope,
            ns=self._namespace,
            game=wanted.game,
            seat=wanted.seat,
            delay_commits=wanted.delay_commits,
            delay_s=wanted.delay_s,
        )
        claims = msgspec.to_builtins(grant)
        try:
            msgspec.convert(claims, Grant)
        except msgspec.ValidationError as error:
            # Not what would be refused as altered whenever it is used.
            raise _senseless(*fault(error)) from None
        token = jwt.encode(claims, self._secret, algorithm=_ALGORITHM)
        return Minted(token=token, id=grant.jti, expires_at=grant.exp * 1000)

    def read(self, token: str) -> Grant:
        """What a token grants. Raises `Refused`: `expired_token`, `bad_token`."""
        try:
            claims: Any = jwt.decode(
                token,
                self._secret,
                algorithms=[_ALGORITHM],
                options={"require": ["jti", "exp", "scope", "ns"]},
            )
            grant = msgspec.convert(claims, Grant)
        except jwt.ExpiredSignatureError:
            raise expired() from None
        except (jwt.PyJWTError, msgspec.ValidationError, ValueError):
            raise Refused(
                401, "bad_token", "This token was not signed here, or was altered: ask for a new one"
            ) from None
        if grant.ns != self._namespace:
            raise Refused(401, "bad_token", "This token is for another deployment")
        return grant


def expired() -> Refused:
    """The token's time is over."""
    return Refused(401, "expired_token", "This token has expired: ask for a new one")


def revoked() -> Refused:
    """The token was taken back."""
    return Refused(401, "revoked_token", "This token was revoked: ask for a new one")


def _senseless(detail: str, path: str) -> Refused:
    return Refused(422, "bad_token_request", detail, path=path)


class Revocations:
    """The tokens that were taken back, kept in Redis for as long as they would have lived."""

    def __init__(self, pipe: Pipe, namespace: str, max_s: int) -> None:
        self._pipe = pipe
        self._key = revoked_key(namespace)
        self._max_s = max_s

    async def revoke(self, jti: str) -> None:
        """Take a token back. When it would expire is not known from its id: the longest life is kept."""
        now = int(time())
        await self._pipe.call("ZADD", self._key, now + self._max_s, jti)
        await self._pipe.call("ZREMRANGEBYSCORE", self._key, "-inf", f"({now}")

    async def is_revoked(self, jti: str) -> bool:
        """Whether a token was taken back. Raises `Unreachable`."""
        return await self._pipe.call("ZSCORE", self._key, jti) is not None

    async def all(self) -> set[str]:
        """The ids of all tokens that were taken back. Raises `Unreachable`."""
        return {jti.decode() for jti in await self._pipe.call("ZRANGE", self._key, 0, -1)}
