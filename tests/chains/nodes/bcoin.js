// A whole Bitcoin node in memory, or in a folder: node bcoin.js PORT KEY [FOLDER]
'use strict';

const FullNode = require('bcoin/lib/node/fullnode');
const Address = require('bcoin/lib/primitives/address');

const [port, key, folder] = process.argv.slice(2);
const node = new FullNode({ 
  network: 'regtest',
  memory: !folder,
  prefix: folder,
  workers: false,
  listen: false,
  indexTX: true,
  httpHost: '127.0.0.1',
  httpPort: Number(port),
  apiKey: key
});

// invalidateblock of this node loses its mempool, so another branch is mined beside the first.
node.rpc.add('reorganise', async ([depth, blocks, address]) => {
  const miner = Address.fromString(address, node.network);
  const made = [];
  let tip = await node.chain.getEntry(node.chain.height - depth);
  for (let i = 0; i < blocks; i++) {
    tip = await node.chain.add(await node.miner.mineBlock(tip, miner));
    made.push(tip.rhash());
  }
  return made;
});

(async () => {
  await node.ensure();
  await node.open();
  console.log('ready');
})().catch((error) => {
  console.error(error.stack);
  process.exit(1);
});

process.on('SIGTERM', () => node.close().then(() => process.exit(0)));
