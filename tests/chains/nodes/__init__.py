"""Real chains for tests, on the loopback: programs of config/devstack/chains, and litecoind."""
