"""What all processes of one deployment must agree on before any of them works."""

import hashlib
import hmac
from typing import Any

from fairdeal.wire import deployment_key
from fairdeal_worker.settings import Settings


class DeploymentMismatch(RuntimeError):
    """This process is set up for another deployment than the one that this namespace holds."""


async def join_deployment(redis: Any, settings: Settings, *, deals: bool) -> None:
    """Create the deployment, or check that this process fits it.

    A process that deals (`deals=True`, the rules) also leaves and checks the secret's fingerprint, so that
    two workers never deal from different secrets. Raises `DeploymentMismatch`.
    """
    key = deployment_key(settings.namespace)
    seconds, micros = await redis.time()
    await redis.hsetnx(key, "partitions", settings.partitions)
    await redis.hsetnx(key, "created_at", seconds * 1000 + micros // 1000)
    stored = int(await redis.hget(key, "partitions"))
    if stored != settings.partitions:
        raise DeploymentMismatch(
            f"The deployment {settings.namespace!r} has {stored} partitions, this process was started with "
            f"{settings.partitions}. The number is fixed when a deployment is created: set "
            f"FAIRDEAL_PARTITIONS={stored}, or use another FAIRDEAL_NAMESPACE"
        )
    if not deals:
        return
    if not settings.secret:
        raise DeploymentMismatch(
            "There is no FAIRDEAL_SECRET, and without one nothing can be dealt. Set it (or "
            "FAIRDEAL_SECRET_FILE) to the same long random text for every rules worker: openssl rand -hex 32"
        )
    fingerprint = secret_fingerprint(settings)
    await redis.hsetnx(key, "secret", fingerprint)
    if (await redis.hget(key, "secret")).decode() != fingerprint:
        raise DeploymentMismatch(
            f"The deployment {settings.namespace!r} was created with another FAIRDEAL_SECRET. All rules "
            "workers need the same one: games that are running were committed to seeds made of it"
        )


def secret_fingerprint(settings: Settings) -> str:
    """16 hex digits that tell two secrets apart and nothing else about them."""
    text = f"fairdeal/fingerprint/1|{settings.namespace}".encode()
    return hmac.digest(settings.secret.encode(), text, hashlib.sha256).hex()[:16]
