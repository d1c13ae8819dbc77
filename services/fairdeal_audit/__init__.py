"""The audit: whether a log was altered, whether the dealing was fair, whether every move obeyed the rules."""

from fairdeal.export import Header
from fairdeal_audit.audit import audit_log
from fairdeal_audit.chain import Record
from fairdeal_audit.export import Export, audit_export, read_export
from fairdeal_audit.report import AuditImpossible, Check, Finding, Report
from fairdeal_audit.store import Stored, audit_game, read_game

__all__ = [
    "AuditImpossible",
    "Check",
    "Export",
    "Finding",
    "Header",
    "Record",
    "Report",
    "Stored",
    "audit_export",
    "audit_game",
    "audit_log",
    "read_export",
    "read_game",
]
