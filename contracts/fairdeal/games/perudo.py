"""Perudo: what is said. Actions, events, options, table, hand and offers."""

from typing import Annotated, Final, Literal

import msgspec

from fairdeal.action import Action
from fairdeal.view import Offer, Random
from fairdeal.view import Table as BaseTable
from fairdeal.visibility import Drawn, Event, Public, Secret, seen_by
