"""Chains of Ethereum's kind, read through the operator's own node by JSON-RPC."""
