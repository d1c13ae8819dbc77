"""The rules of each game: what is allowed. Each module has a `Rules`."""
