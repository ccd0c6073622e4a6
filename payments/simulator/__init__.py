"""A rail that runs inside our process: its own store, its own pages, signed callbacks.

It behaves like the other side of a wire. Nothing here reads our tables, and our code reads its
store only through the ports, the pages and `control`.
"""

CODE = "simulator"
