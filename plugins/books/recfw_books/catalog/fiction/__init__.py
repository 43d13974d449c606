"""
The generator of the embedded catalog: fictional works of the paper's shape, whose answers no model knows by heart.

Everything is drawn by :class:`recfw.model.draws.Draws` from one seed and the data files of this package, with the four
basic operations and square roots only: ``python -m recfw_books.catalog.fiction --out DIR`` rebuilds the shipped catalog
byte for byte on every machine.
"""
