"""QR codes of Bre-B: the text in the picture, as EASPBV's standard v1.4 and EMVCo have it.

docs/breb-qr.md says what is read and written. No network and no tables.
"""
