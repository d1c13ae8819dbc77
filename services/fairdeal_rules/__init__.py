"""The rules service: decide, evolve, commit."""

from fairdeal.receipt import Rejected

__all__ = ["Rejected"]
