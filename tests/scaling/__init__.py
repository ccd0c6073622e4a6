"""Past one machine: a pooler, another broker, several machines, a replica (docs/scaling.md).

Each experiment has servers of its own; where an optional program is not installed it says so.
"""
