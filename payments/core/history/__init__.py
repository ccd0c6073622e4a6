"""Monthly partitions and retention of tables that only grow (docs/operations/history.md).

tables.py declares them, layout.py reads and writes PostgreSQL's catalogue, conversion.py makes a
table partitioned, months.py makes the coming months, retirement.py drops old ones, archive.py
writes their files.
"""
