"""The projections on a Redis Cluster: every read and every script goes to the partition's slot."""

from pathlib import Path

from fairdeal.directory import list_games
from fairdeal_replays.export import export_game
from fairdeal_replays.handler import ReplaysHandler
from fairdeal_views.handler import ViewsHandler
from fairdeal_views.parking import unpark
from fairdeal_views.rebuild import rebuild
from support.cluster import cluster_of_one
from support.following import Desk, expected, played, reseat, waiting_table


async def test_views_directory_sweep_rebuild_export_and_archive_on_a_cluster(tmp_path: Path) -> None:
    async with cluster_of_one() as cluster:
        views = Desk(cluster, "c", ViewsHandler)
        replays = Desk(cluster, "c", ReplaysHandler, archive=str(tmp_path), archive_after_s=1)
        done, rang, silent = played("done"), waiting_table("rang"), reseat(waiting_table("silent"), 3)
        await views.write(done)
        await views.write(rang)
        await views.write(silent, ring=False)
        for desk in (views, replays):
            await desk.start()
            await desk.run()
        assert (await export_game(cluster, "c", 1, "done")).startswith(b'{"fairdeal_export":1')
        for desk in (views, replays):
            await desk.handler.tick()
        for table in (rang, silent):
            assert await views.view(table.log[0].game) == expected(table)
        page = await list_games(cluster, "c", 1)
        assert {(entry.game, entry.archived) for entry in page.games} == {
            ("done", True),
            ("rang", False),
            ("silent", False),
        }
        await cluster.delete(views.keys.view("rang"))
        await cluster.hset(views.keys.parked("replays"), "silent", "{}")
        report = await rebuild(cluster, "c", 1)
        assert {(rebuilt.game, rebuilt.outcome) for rebuilt in report.games} == {
            ("rang", "missing"),
            ("silent", "same"),
        }
        assert await unpark(cluster, "c", 1, "replays", "silent")
