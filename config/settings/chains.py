"""Coins on the operator's own nodes: how chains are read, and when they count as watched."""

from config.settings.environment import env

# How often the chain of each account is read, and how many blocks one run reads at most. Blocks are
# committed in batches.
CHAIN_SCAN_SECONDS = env.int("CHAIN_SCAN_SECONDS", default=5)
CHAIN_BLOCKS_PER_RUN = env.int("CHAIN_BLOCKS_PER_RUN", default=200)
CHAIN_BLOCKS_PER_BATCH = env.int("CHAIN_BLOCKS_PER_BATCH", default=10)
# Blocks whose hashes are kept: a reorganisation that is longer waits for a person.
CHAIN_KEPT_BLOCKS = env.int("CHAIN_KEPT_BLOCKS", default=1000)
# An account gives no new address when its chain was not read for so many seconds, when it has so
# many blocks to read, or when the newest block is older than the age for its network ("*": all
# that are not named).
CHAIN_SCAN_MAX_AGE_SECONDS = env.int("CHAIN_SCAN_MAX_AGE_SECONDS", default=120)
CHAIN_LAG_MAX_BLOCKS = env.int("CHAIN_LAG_MAX_BLOCKS", default=50)
CHAIN_TIP_MAX_AGE_SECONDS: dict[str, str] = {
    "*": "900",
    "bitcoin": "10800",
    "litecoin": "3600",
    **env.dict("CHAIN_TIP_MAX_AGE_SECONDS", default={}),
}
# Waiting transactions that one run reads at most.
CHAIN_MEMPOOL_PER_RUN = env.int("CHAIN_MEMPOOL_PER_RUN", default=2000)
# Addresses that one run asks the node about, of chains that are asked about each address.
CHAIN_LOOKS_PER_RUN = env.int("CHAIN_LOOKS_PER_RUN", default=100)
# The shortest and longest time between two looks at an address. It grows with the age.
CHAIN_LOOK_SECONDS = env.int("CHAIN_LOOK_SECONDS", default=15)
CHAIN_LOOK_MAX_SECONDS = env.int("CHAIN_LOOK_MAX_SECONDS", default=86_400)
# Wallets stop to look for money after so many unused addresses in a row.
CHAIN_GAP_LIMIT = env.int("CHAIN_GAP_LIMIT", default=20)
