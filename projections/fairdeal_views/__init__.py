"""The views: what each player may see, folded from redacted events."""
