"""A provider that runs inside our process: its own books, its own pages, signed callbacks.

It behaves like the other side of a wire. Nothing here reads our tables, and nothing of ours reads
its books except through the port, the pages and `control`.
"""
