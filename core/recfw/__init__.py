"""recfw: evaluate conversational and agentic recommenders with tracks that are plugins."""

__version__ = "0.1.0"
