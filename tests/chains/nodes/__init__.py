"""Real chains for tests, on the loopback: programs of package.json, and litecoind of Debian."""
