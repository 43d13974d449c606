"""The figures of the paper's appendix C.1, each recomputed from stored traces alone."""
