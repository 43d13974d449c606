"""The track `movies` of recfw: find a film for tonight, by the house rules."""
