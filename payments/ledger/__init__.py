"""Double entry: accounts, entries, postings. Every peso that we hold is on these books."""
