"""A whole table in one process, without Redis: for tests, bots' practice and integrators' own tests."""

from fairdeal.dealer import Dealer, ImpossibleOutcome, Scripted
from fairdeal_local.table import Seeded, Table

__all__ = ["Dealer", "ImpossibleOutcome", "Scripted", "Seeded", "Table"]
