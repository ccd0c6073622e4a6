"""The endpoints of /collect, one module for each noun."""
