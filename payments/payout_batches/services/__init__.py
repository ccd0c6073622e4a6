"""What happens to batches. Each module is one step."""
