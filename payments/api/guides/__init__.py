"""The guides for merchants' developers: docs/guides, as pages and as Markdown."""
