"""Ports to the rails that move money, and the adapters behind them. Values only: no tables here."""
