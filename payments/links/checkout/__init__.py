"""The pages of a link: the payer's form, its QR code, and sheets to print."""
