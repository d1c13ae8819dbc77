import sys

from fairdeal_audit import AuditImpossible, audit_export

try:
    report = audit_export(sys.argv[1])
except AuditImpossible as error:
    sys.exit(str(error))
for check in report.checks:
    print(check.name, check.verdict, check.version or "", check.message or "")
print("clean" if report.clean else "not clean", report.head)
