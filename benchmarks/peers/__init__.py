"""Published services that do something like ours, installed outside of our environment."""
