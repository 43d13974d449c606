"""
Statistics of stored scores: pass^k, clustered bootstrap, paired contrasts, Holm, sign-flip, power, agreement.

Scores come as mappings from a task's name to its value, clusters as a mapping from the same names to a cluster's name:
pairing is by name, and no result depends on the order in which trials were finished. ``results``, ``passk`` and
``multiple`` load neither numpy nor scipy; import the others where they are used. No result holds NaN: what cannot be
computed is None.
"""
