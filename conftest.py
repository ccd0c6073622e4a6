"""Loads the suite's plugins: the throw-away servers first, then the fixtures of the domain."""

pytest_plugins = [
    "tests.services",
    "tests.garbage",
    "tests.order",
    "tests.database",
    "tests.fixtures",
    "tests.figures",
    "tests.promised",
]
