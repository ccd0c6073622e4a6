"""`make bench`: how fast the service is, beside its limit, its framework and a published peer.

Everything is compared inside one run, in alternating rounds, because machines drift: only the
ratios hold. Servers and contestants live in a throw-away directory and end with the run.
"""
