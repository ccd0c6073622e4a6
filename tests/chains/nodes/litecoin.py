"""litecoind: the code of Bitcoin Core 0.21, with a wallet of its own."""

from tests.chains.nodes.bitcoin_like import BitcoinLike
from tests.chains.nodes.packages import program

MATURITY, SPENDABLE = 100, 20


class Litecoin(BitcoinLike):
    name = title = "litecoind"
    hrp = "rltc"

    def __init__(self, folder):
        self.program = program("litecoind", package="litecoind")
        super().__init__(folder)
        (folder / "litecoin").mkdir()

    def command(self):
        options = [
            "regtest",
            f"datadir={self.folder / 'litecoin'}",
            "listen=0",
            "dnsseed=0",
            "fallbackfee=0.0002",
            "txindex=1",
            "server=1",
            f"rpcport={self.port}",
            f"rpcuser={self.user}",
            f"rpcpassword={self.password}",
            "walletrbf=1",
            "mempoolreplacement=1",
        ]
        return [self.program, *(f"-{one}" for one in options)]

    def start(self):
        super().start()
        if not self.ask("listwallets"):
            known = self.ask("listwalletdir")["wallets"]
            self.ask("loadwallet" if known else "createwallet", "tests")
        self.miner = self.ask("getnewaddress", "", "bech32")

    def fund(self):
        self.mine(MATURITY + SPENDABLE)

    def pay(self, address, amount):
        return self.ask("sendtoaddress", address, str(amount))

    def reorganise(self, depth, *, empty=False):
        """For another miner: the same block at the same second would be the same again."""
        self.ask("invalidateblock", self.ask("getblockhash", self.height - depth + 1))
        miner = self.ask("getnewaddress", "", "bech32")
        if not empty:
            self.ask("generatetoaddress", depth + 1, miner)
            return
        for _ in range(depth + 1):
            self.ask("generateblock", miner, [])

    def replace(self, transaction):
        """The same outputs with a higher fee, under another id."""
        return self.ask("bumpfee", transaction)["txid"]
