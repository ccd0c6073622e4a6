"""Generated from the OpenAPI document by `make sdks`: do not change it by hand."""

__version__ = "1.0.0"
