"""The tests have teeth (F17): deliberate mistakes in the service, each of which they must catch.

`patches/` holds one mistake per file, as a small diff under a header that says what it breaks and
which tests should see it. `make mutants` tries them all on a scratch copy of the working tree.
"""
