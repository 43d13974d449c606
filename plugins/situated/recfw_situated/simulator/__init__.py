"""The embedded simulator: a headless store that speaks UnrealCV's protocol. Only the `serve` command imports it."""
