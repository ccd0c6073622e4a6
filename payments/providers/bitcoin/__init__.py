"""Bitcoin, read through the operator's own node by the JSON-RPC of Bitcoin Core."""
