"""`make run`: PostgreSQL and Valkey from wheels, and a supervisor. Not used in production."""
