"""Template filters of collections."""
