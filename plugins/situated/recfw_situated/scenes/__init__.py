"""The two stores as data: what stands where, how it looks, what it costs."""
