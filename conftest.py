"""Loads the suite's plugins: the throw-away servers first, then the fixtures of the domain."""

pytest_plugins = [
    "tests.support.services",
    "tests.support.gc_tuning",
    "tests.support.recursion_limit",
    "tests.support.test_ordering",
    "tests.support.second_try",
    "tests.support.database",
    "tests.support.fixtures",
    "tests.support.measurements",
    "tests.support.openapi_conformance",
    "tests.support.property_tests",
]
