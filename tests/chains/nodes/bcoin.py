"""bcoin: Bitcoin itself, on a chain of its own. It has no wallet here: embit signs."""

import os
import shutil
import time
from pathlib import Path

import pytest
from embit import ec, script
from embit.networks import NETWORKS
from embit.transaction import Transaction, TransactionInput, TransactionOutput

from config.devstack.chains import install
from tests.chains.nodes.bitcoin_like import BitcoinLike, NodeError
from tests.chains.nodes.packages import npm_package

MATURITY = 101
FEE = 1000
SUBSIDY = 50 * 10**8
# Its prefixes are not those of Bitcoin Core.
NETWORK = {**NETWORKS["regtest"], "bech32": "rb", "p2pkh": b"\x3c"}


class Bcoin(BitcoinLike):
    name = title = "bcoin"
    hrp = "rb"

    def __init__(self, folder):
        npm_package("bcoin")
        if (node := shutil.which("node")) is None:
            pytest.skip("No node: install Debian's package nodejs.")
        self.program = node
        super().__init__(folder)
        self.key = ec.PrivateKey(b"\x07" * 32)
        # Its chain has no segwit inputs before block 432.
        self.script = script.p2pkh(self.key.get_public_key())
        self.miner = self.script.address(NETWORK)
        self.coins = []
        self.sent = None

    def command(self):
        start = str(Path(__file__).with_suffix(".js"))
        return [self.program, start, str(self.port), self.password]

    def environment(self):
        return {**os.environ, "NODE_BACKEND": "js", "NODE_PATH": str(install.MODULES)}

    def fund(self):
        """The outputs of the first blocks, which may be spent now."""
        for one in self.mine(MATURITY + 20)[:20]:
            transaction = self.ask("getblock", one)["tx"][0]
            self.coins.append((transaction, 0, SUBSIDY))

    def reorganise(self, depth, *, empty=True):
        """Always with empty blocks.

        Its mempool may be without what was in the blocks; then the wallet sends it again.
        """
        self.ask("reorganise", depth, depth + 1, self.miner)
        if self.sent and self.sent[0] not in self.ask("getrawmempool"):
            self._broadcast(*self.sent)

    def pay(self, address, amount, *, fee=FEE):
        """The id of the transaction."""
        outputs = [(script.address_to_scriptpubkey(address), int(amount * 10**8))]
        return self.send(self.coins.pop(), outputs, fee)

    def send(self, coin, outputs, fee):
        previous, position, units = coin
        rest = units - fee - sum(amount for _, amount in outputs)
        made = [TransactionOutput(amount, target) for target, amount in outputs]
        made.append(TransactionOutput(rest, self.script))
        spends = TransactionInput(bytes.fromhex(previous), position)
        built = Transaction(vin=[spends], vout=made)
        signature = self.key.sign(built.sighash_legacy(0, self.script))
        built.vin[0].script_sig = script.script_sig_p2pkh(signature, self.key.get_public_key())
        self.sent = built.txid().hex(), built.serialize().hex()
        self._broadcast(*self.sent)
        return self.sent[0]

    def _broadcast(self, transaction, raw):
        """The node answers before it has looked at the transaction."""
        self.ask("sendrawtransaction", raw)
        deadline = time.monotonic() + 60
        while transaction not in self.ask("getrawmempool"):
            if time.monotonic() > deadline:
                raise NodeError(f"bcoin did not take {transaction}")
            time.sleep(0.01)
