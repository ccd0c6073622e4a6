"""Files of the operator's own bank (payments.reconciliation)."""

from config.settings.environment import env

# 100,000 entries of CAMT.053 with line breaks have about 120 MB.
BANK_STATEMENT_MAX_BYTES = env.int("BANK_STATEMENT_MAX_BYTES", default=200 * 1024 * 1024)
# Movements.
BANK_STATEMENT_MAX_LINES = env.int("BANK_STATEMENT_MAX_LINES", default=250_000)
# What one person may upload in the console, and how long that may take. Larger files come by the
# watched directory or the command.
BANK_STATEMENT_UPLOAD_MAX_BYTES = env.int(
    "BANK_STATEMENT_UPLOAD_MAX_BYTES", default=32 * 1024 * 1024
)
BANK_STATEMENT_UPLOAD_SECONDS = env.int("BANK_STATEMENT_UPLOAD_SECONDS", default=60)
BANK_STATEMENT_UPLOAD_PATH = "/admin/reconciliation/statementupload/add/"
# How long a refused file is kept, so that it can be imported with a reason.
BANK_STATEMENT_UPLOAD_DAYS = env.int("BANK_STATEMENT_UPLOAD_DAYS", default=7)
# Files that appear here are imported, such as those that a bank sends by SFTP. Empty: none.
STATEMENT_DIRECTORY = env("STATEMENT_DIRECTORY", default="")
STATEMENT_DIRECTORY_SECONDS = env.int("STATEMENT_DIRECTORY_SECONDS", default=10)
