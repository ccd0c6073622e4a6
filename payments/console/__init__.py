"""What every page of the console shares. The pages of records are in the `admin` of each app."""
