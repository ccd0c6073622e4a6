"""A month of a shop that is paid by transfer, made from a seed by a program that knows no parser.

It makes what the service has to be told (`plan.Month`), what the bank books (`lines.booked`), the
bank's files in each format (`writers`, `deliveries`) and the truth of each movement (`truth`). It
uses the published layouts of the formats and nothing of the service: the service's references and
codes are filled in by `plan.Names`. Everybody in it is invented.
"""
