"""What processes of one deployment must agree on."""

from typing import Any

import pytest

from fairdeal.wire import deployment_key
from fairdeal_worker.deployment import DeploymentMismatch, join_deployment
from fairdeal_worker.settings import BadSettings, Settings, settings_from


async def test_the_first_process_creates_the_deployment(redis_client: Any, namespace: str) -> None:
    await join_deployment(redis_client, Settings(namespace=namespace, partitions=5), deals=False)
    stored = await redis_client.hgetall(deployment_key(namespace))
    assert stored[b"partitions"] == b"5"
    assert int(stored[b"created_at"]) > 1_700_000_000_000
    assert b"secret" not in stored


async def test_another_number_of_partitions_is_refused(redis_client: Any, namespace: str) -> None:
    await join_deployment(redis_client, Settings(namespace=namespace, partitions=5), deals=False)
    with pytest.raises(DeploymentMismatch, match="FAIRDEAL_PARTITIONS=5"):
        await join_deployment(redis_client, Settings(namespace=namespace, partitions=8), deals=False)


async def test_rules_need_a_secret_and_all_the_same(redis_client: Any, namespace: str) -> None:
    with pytest.raises(DeploymentMismatch, match="FAIRDEAL_SECRET"):
        await join_deployment(redis_client, Settings(namespace=namespace), deals=True)
    await join_deployment(redis_client, Settings(namespace=namespace, secret="one"), deals=True)
    await join_deployment(redis_client, Settings(namespace=namespace, secret="one"), deals=True)
    with pytest.raises(DeploymentMismatch, match="another FAIRDEAL_SECRET"):
        await join_deployment(redis_client, Settings(namespace=namespace, secret="two"), deals=True)


async def test_the_secret_itself_is_nowhere_in_redis(redis_client: Any, namespace: str) -> None:
    await join_deployment(redis_client, Settings(namespace=namespace, secret="hush-hush"), deals=True)
    assert b"hush" not in b"".join((await redis_client.hgetall(deployment_key(namespace))).values())


def test_settings_come_from_the_environment(tmp_path: Any) -> None:
    (tmp_path / "secret").write_text("s3\n")
    given = {
        "FAIRDEAL_BATCH": "64",
        "FAIRDEAL_SECRET_FILE": str(tmp_path / "secret"),
        "FAIRDEAL_NAMESPACE": "",
    }
    settings = settings_from(given, partitions=None, lease_ms=900)
    assert (settings.batch, settings.secret, settings.namespace, settings.lease_ms) == (
        64,
        "s3",
        "fairdeal",
        900,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [("FAIRDEAL_BATCH", "many"), ("FAIRDEAL_PARTITIONS", "0"), ("FAIRDEAL_NAMESPACE", "a b")],
)
def test_a_bad_setting_is_named(name: str, value: str) -> None:
    with pytest.raises(BadSettings, match=name):
        settings_from({name: value})


def test_a_secret_file_that_is_not_there_is_named() -> None:
    with pytest.raises(BadSettings, match="FAIRDEAL_SECRET_FILE"):
        settings_from({"FAIRDEAL_SECRET_FILE": "/nowhere/at/all"})
