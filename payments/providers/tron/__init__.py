"""USDT on Tron (TRC-20), read through an HTTP API in the shape of TronGrid.

Not yet run against the live network. Written from the documentation of java-tron's HTTP API and of
TronGrid. What they do not fix is handled both ways, and marked [?] where the code does that.
"""
