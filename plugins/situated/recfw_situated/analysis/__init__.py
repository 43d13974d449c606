"""Reports of stored runs: the run's own table, and the paper's tables and figures as far as the runs hold them."""
