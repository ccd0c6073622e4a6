"""A simulated rail inside our process, with its own store, its own pages and signed callbacks.

It behaves like a remote provider: it reads none of our tables, and our code reads its store only
through the ports, the pages and `control`.
"""

CODE = "simulator"
