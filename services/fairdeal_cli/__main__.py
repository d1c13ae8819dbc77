"""`python -m fairdeal_cli`: the same as `fairdeal`, for processes that start their own kind."""

from fairdeal_cli.main import main

main()
