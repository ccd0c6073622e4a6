"""Console pages of payment links."""

from payments.links.admin import links as links
