"""Kernel: money, errors, ids, state machines, jobs, audit.

Imports no other package of the service.
"""
