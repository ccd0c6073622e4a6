"""What every page of the console shares; the records' own pages are in each app's `admin`."""
