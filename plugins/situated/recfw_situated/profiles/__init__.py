"""Who shops: 50 profiles, drawn once from roles that are written by hand."""
