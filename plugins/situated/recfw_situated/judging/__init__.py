"""What a judge is asked of an episode and shown of it: the paper's seven dimensions, over text alone."""
