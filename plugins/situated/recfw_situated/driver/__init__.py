"""The runtime's side of the socket: a store behind UnrealCV's protocol, whoever serves it."""
