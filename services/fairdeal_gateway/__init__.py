"""The gateway: games over HTTP, server-sent events and WebSocket, for players and spectators, and the web table."""
