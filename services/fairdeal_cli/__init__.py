"""The command line: `fairdeal`."""
