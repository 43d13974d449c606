"""The embedded world: fictional products, businesses and venues, and people whose tastes explain what they do there."""
