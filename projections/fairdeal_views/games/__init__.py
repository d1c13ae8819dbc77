"""The views of each game: what is seen. Each module has a `Seen`."""
