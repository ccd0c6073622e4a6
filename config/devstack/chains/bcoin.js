// A Bitcoin node with a miner and a wallet: node bcoin.js PORT PASSWORD BLOCKS_FILE BLOCK_SECONDS
'use strict';

const fs = require('fs');
const {bech32} = require('bstring');
const FullNode = require('bcoin/lib/node/fullnode');
const Address = require('bcoin/lib/primitives/address');
const Block = require('bcoin/lib/primitives/block');
const Key = require('bcoin/lib/primitives/keyring');
const MTX = require('bcoin/lib/primitives/mtx');
const Amount = require('bcoin/lib/btc/amount');

const [port, password, file, seconds] = process.argv.slice(2);
// The first blocks pay the wallet, and can be spent after 100 more. Later blocks pay a miner.
const OURS = 20, MATURITY = 100;
// So many blocks follow a payment. Without payments there is one each minute.
const AFTER_PAYMENT = 6, IDLE_SECONDS = 60;
const FEE_RATE = 10000;

const node = new FullNode({
  network: 'regtest',
  memory: true,
  workers: false,
  listen: false,
  indexTX: true,
  indexAddress: true,
  httpHost: '127.0.0.1',
  httpPort: Number(port),
  apiKey: password
});
const wallet = Key.fromPrivate(Buffer.alloc(32, 7));
const miner = Key.fromPrivate(Buffer.alloc(32, 8));
let wanted = 0;

// Its own database would have to be compiled, so the blocks are kept in a file, one a line.
async function readBlocks() {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'latin1') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  fs.writeFileSync(file, whole);
  for (const line of whole.split('\n').slice(0, -1))
    await node.chain.add(Block.fromRaw(line, 'hex'));
  node.chain.on('connect', (entry, block) => {
    fs.appendFileSync(file, block.toRaw().toString('hex') + '\n');
  });
}

async function mine(key) {
  await node.chain.add(await node.miner.mineBlock(node.chain.tip, key.getAddress()));
}

async function mineWhenDue() {
  const age = Date.now() / 1000 - node.chain.tip.time;
  if (wanted > 0 || age >= IDLE_SECONDS) {
    wanted = Math.max(0, wanted - 1);
    await mine(miner);
  }
}

// As the wallet of Bitcoin Core has it. The prefix of the address is Core's (bcrt), and bcoin's is another.
node.rpc.add('sendtoaddress', async ([text, amount]) => {
  const coins = await node.getCoinsByAddress(wallet.getAddress());
  const {version, hash} = bech32.decode(text);
  const units = new Amount(String(amount), 'btc').toValue();
  const payment = new MTX();
  payment.addOutput(Address.fromProgram(version, hash), units);
  await payment.fund(coins, {
    rate: FEE_RATE,
    changeAddress: wallet.getAddress(),
    height: node.chain.height
  });
  payment.sign(wallet);
  const [sent] = payment.commit();
  await node.sendTX(sent);
  if (!node.mempool.has(sent.hash('hex')))
    throw new Error('The node refused the payment.');
  return sent.txid();
});

(async () => {
  await node.ensure();
  await node.open();
  await readBlocks();
  while (node.chain.height < OURS + MATURITY)
    await mine(node.chain.height < OURS ? wallet : miner);
  node.mempool.on('tx', () => {
    wanted = AFTER_PAYMENT;
  });
  const again = () => mineWhenDue().then(() => setTimeout(again, Number(seconds) * 1000));
  await again();
  console.log('ready');
})().catch((error) => {
  console.error(error.stack);
  process.exit(1);
});

// What waits gets its block now, because the mempool is not kept.
process.on('SIGTERM', async () => {
  if (node.mempool.map.size > 0)
    await mine(miner);
  await node.close();
  process.exit(0);
});
