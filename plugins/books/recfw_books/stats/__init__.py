"""A catalog's shape: how many books of each genre, language, country, decade and format, and how popular they are."""
