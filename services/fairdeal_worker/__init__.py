"""What every worker has: settings, logs, its partitions and leases, and a reader that starts at a position.

Roles (`rules`, `views`, `replays`, `bots`) supply a `Handler`; everything else about being a process that
may die at any instant is here.
"""

from fairdeal_worker.role import Entry, Handler, Partition, Position, PositionMoved, Role
from fairdeal_worker.settings import Settings

__all__ = ["Entry", "Handler", "Partition", "Position", "PositionMoved", "Role", "Settings"]
