"""The records that everything else speaks in: frozen attrs classes, plain data all through."""
