"""What a file may cost. A larger one is refused before it fills the memory."""

from django.conf import settings

# Of payouts in one batch, by file or by API.
LINES_MAX = 10_000
COLUMNS_MAX = 60
# A person may have left empty rows between the lines.
ROWS_MAX = 2 * LINES_MAX
CELL_CHARACTERS_MAX = 500
# Of a file as it is uploaded: 10,000 lines have about 2 MB.
FILE_BYTES_MAX: int = settings.PAYOUT_BATCH_UPLOAD_MAX_BYTES
# Of all parts of a workbook after they are extracted: 10,000 lines have about 10 MB.
WORKBOOK_BYTES_MAX = 64 * 1024 * 1024
WORKBOOK_PARTS_MAX = 500
# Elements and attributes of XML, in all parts. Each takes some 100 bytes of memory. A cell has
# about five and its text two, so 10,000 lines with 15 columns have about 1,000,000.
WORKBOOK_NODES_MAX = 3_000_000
# Of one row, whose cells are in the memory together. Excel has 16,384 columns.
ROW_NODES_MAX = 200_000
# Of one tag with its attributes.
TAG_BYTES_MAX = 256 * 1024
