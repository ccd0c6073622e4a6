"""What Prometheus reads at /metrics: requests as they were served, and the state of the tables."""
