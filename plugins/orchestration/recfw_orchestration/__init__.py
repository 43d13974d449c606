"""The orchestration track of recfw: recommendation through MCP tools under fuzzy requests."""
