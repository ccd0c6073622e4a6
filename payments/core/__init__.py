"""Kernel: money, errors, ids, state machines, jobs, audit. Imports nothing of ours."""
