"""settlement."""
