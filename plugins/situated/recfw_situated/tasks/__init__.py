"""What is shopped for: 200 goals around target products, their generator and the pool that ships."""
