"""Ways to providers: one through litellm, one straight to an OpenAI-compatible endpoint."""
