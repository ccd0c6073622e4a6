"""`make demo`: the main job of the service, played by merchant, payer, bank and receiver."""
