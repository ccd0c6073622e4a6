"""The price feed: asks the sources, chooses, and sets prices or lets a person decide."""
