// Checks a receipt of usance without usance: node verify-receipt.mjs receipt.json anchors.jsonl
//
// A receipt holds events, the digests of their neighbours, and links of the tenant's hash chain down from an anchor. The anchor has to be
// one that you kept: a line of the anchors file, which was written outside the database. Prints each proven event. Exit code 1 if
// anything differs.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [receiptFile, anchorsFile] = process.argv.slice(2);
if (!receiptFile || !anchorsFile) fail('usage: node verify-receipt.mjs receipt.json anchors.jsonl');
const receipt = JSON.parse(readFileSync(receiptFile, 'utf8'));
const anchors = readFileSync(anchorsFile, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '' && line.trimEnd().endsWith('}'))
  .map((line) => JSON.parse(line));

if (receipt.format !== 'usance receipt 2') fail(`unknown format ${receipt.format}`);
const { tenant, anchor } = receipt;
const kept = anchors.find((one) => one.tenant === tenant && one.seq === anchor.seq);
if (!kept) fail(`you have no anchor of tenant ${tenant} with seq ${anchor.seq}`);
if (kept.hash !== anchor.hash) fail('your anchor has another hash: the history was changed, or the receipt is of another database');

// From the anchor down: a link is proven if its hash is the anchor's, or is covered by a link that is proven.
const proven = new Set([kept.hash]);
const blocks = new Map();
for (const link of receipt.links) {
  const hash = sha256([
    'usance link 2',
    Buffer.from(link.previous, 'hex'),
    Buffer.from(link.skipped, 'hex'),
    tenant,
    link.number,
    link.seq,
    String(link.events),
    link.block,
    link.recorded,
    Buffer.from(link.digest, 'hex'),
  ]).toString('hex');
  if (!proven.has(hash)) fail(`link ${link.number} does not lead to the anchor`);
  proven.add(link.previous).add(link.skipped);
  blocks.set(link.block, link);
}

for (const event of receipt.events) {
  const ordinal = Number.parseInt(event.id.slice(-4), 16);
  const block = blocks.get(`${event.id.slice(0, -4)}0000`);
  if (!block?.leaves) fail(`the receipt has no block of event ${event.id}`);
  const leaves = Buffer.from(block.leaves, 'base64');
  const each = Array.from({ length: leaves.length / 32 }, (_, n) => leaves.subarray(32 * n, 32 * (n + 1)));
  if (each.length !== block.events) fail(`block ${block.block} has another number of events`);
  if (sha256(['usance block 2', ...each]).toString('hex') !== block.digest) fail(`block ${block.block} was changed`);
  const { salt, data, ip, agent, erased } = event.details;
  const details = erased
    ? Buffer.from(erased, 'hex')
    : sha256(['usance details 2', Buffer.from(salt, 'hex'), data, ip, agent]);
  const leaf = sha256([
    'usance event 2',
    event.id,
    event.type,
    String(event.version),
    event.resource,
    event.subject,
    event.actor,
    event.request,
    event.trace,
    event.occurred,
    details,
  ]);
  if (!each[ordinal]?.equals(leaf)) fail(`event ${event.id} was changed`);
  const seq = BigInt(block.seq) - BigInt(block.events) + 1n + BigInt(ordinal);
  if (String(seq) !== event.seq) fail(`event ${event.id} has seq ${seq}, not ${event.seq}`);
  const recorded = new Date(Number(BigInt(block.recorded) / 1000n)).toISOString();
  console.log(`${event.seq}  ${recorded}  ${event.type}  ${event.subject}  ${erased ? '(details erased)' : data}`);
}
console.log(`${receipt.events.length} events proven by the anchor of ${kept.at}`);

/** Each field behind its length in four bytes; ffffffff for null. */
function sha256(fields) {
  const hash = createHash('sha256');
  for (const field of fields) {
    const bytes = field === null ? null : Buffer.from(field);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes === null ? 0xffffffff : bytes.length);
    hash.update(length);
    if (bytes !== null) hash.update(bytes);
  }
  return hash.digest();
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
