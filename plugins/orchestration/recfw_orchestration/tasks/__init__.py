"""The tasks: their records, the answer rule, the file they are kept in, and the pipeline that makes them."""
