"""The bare machine: PostgreSQL and Valkey from wheels, and a supervisor for `make run`.

Production uses none of this; there the addresses come from the environment.
"""
