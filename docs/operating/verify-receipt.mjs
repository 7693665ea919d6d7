// Checks a receipt of usance without usance: node verify-receipt.mjs receipt.json anchors.jsonl
//
// A receipt holds events, the way from each to the digest of its block, and links of the tenant's hash chain down from an anchor. The anchor
// has to be one that you kept: a line of the anchors file, which was written outside the database. Prints each proven event. Exit code 1 if
// anything differs. A receipt proves that its events happened in this order, not that there were no others.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [receiptFile, anchorsFile] = process.argv.slice(2);
if (!receiptFile || !anchorsFile) fail('usage: node verify-receipt.mjs receipt.json anchors.jsonl');
const receipt = JSON.parse(readFileSync(receiptFile, 'utf8'));
const anchors = readFileSync(anchorsFile, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '' && line.trimEnd().endsWith('}'))
  .map((line) => JSON.parse(line));

const { format, tenant, anchor, total, omitted, events, links } = receipt;
if (format !== 'usance receipt 3' && format !== 'usance receipt 4') fail(`unknown format ${format}`);
// A database that lost commits gives their seqs again, and so can have two anchors of one seq: the receipt is of one of the histories.
const ofSeq = anchors.filter((one) => one.tenant === tenant && one.seq === anchor.seq);
if (ofSeq.length === 0) fail(`you have no anchor of tenant ${tenant} with seq ${anchor.seq}`);
const kept = ofSeq.find((one) => one.hash === anchor.hash);
if (!kept) fail('your anchor has another hash: the history was changed, or the receipt is of another database');
const others = ofSeq.filter((one) => one.hash !== anchor.hash);
if (!Array.isArray(events) || events.length === 0) fail('the receipt has no events');
if (!(omitted >= 0) || events.length + omitted !== total) fail(`the receipt has ${events.length} events, not ${total - omitted}`);

// From the anchor down: a link is proven if its hash is the anchor's, or is covered by a link that is proven.
const proven = new Set([kept.hash]);
const blocks = new Map();
for (const link of links) {
  const ends = [hex(link.previous), hex(link.skipped)];
  const hash = sha256(['usance link 3', ...ends, tenant, link.number, link.seq, String(link.events), link.block, link.recorded, hex(link.digest)]);
  if (!proven.has(hash.toString('hex'))) fail(`link ${link.number} does not lead to the anchor`);
  proven.add(link.previous).add(link.skipped);
  blocks.set(link.block, link);
}

const lines = [];
let last = 0n;
for (const event of events) {
  const { id, type, version, resource, subject, actor, occurred, proof } = event;
  if (resource !== events[0].resource || subject !== events[0].subject) fail(`event ${id} is of another resource`);
  const block = blocks.get(`${id.slice(0, -4)}0000`);
  if (!block) fail(`the receipt has no block of event ${id}`);
  const { salt, data, ip, agent, request, trace, reason = null, erased } = event.details;
  const given = reason === null ? [] : [reason];
  const details = erased === undefined ? sha256([`usance details ${given.length === 0 ? 3 : 4}`, hex(salt), data, ip, agent, request, trace, ...given]) : hex(erased);
  let node = sha256(['usance event 3', id, type, String(version), resource, subject, actor, occurred, details]);
  // Up the tree: the neighbour is on the left of an odd place. The last of an odd number of places goes up as it is.
  let place = Number.parseInt(id.slice(-4), 16);
  if (place >= block.events) fail(`event ${id} is not in its block`);
  const rest = proof.map(hex);
  const seq = BigInt(block.seq) - BigInt(block.events) + 1n + BigInt(place);
  for (let places = block.events; places > 1; places = Math.ceil(places / 2), place >>= 1) {
    if ((place ^ 1) >= places) continue;
    const beside = rest.shift() ?? fail(`the proof of event ${id} is too short`);
    const pair = place % 2 === 1 ? [beside, node] : [node, beside];
    node = createHash('sha256').update(Buffer.from([1])).update(Buffer.concat(pair)).digest();
  }
  if (rest.length > 0 || node.toString('hex') !== block.digest) fail(`event ${id} was changed`);
  if (String(seq) !== event.seq) fail(`event ${id} has seq ${seq}, not ${event.seq}`);
  if (seq <= last) fail(`event ${id} is out of order, or there twice`);
  last = seq;
  const recorded = new Date(Number(BigInt(block.recorded) / 1000n)).toISOString();
  lines.push(`${seq}  ${recorded}  ${type}  ${subject}  ${erased === undefined ? [data, ...given.map((text) => `reason: ${text}`)].join('  ') : '(details erased or withheld)'}`);
}
for (const line of lines) console.log(escaped(line));
if (omitted > 0) console.log(`${omitted} earlier events are not in the receipt`);
for (const { at } of others) console.log(`your anchor of ${escaped(String(at))} has another hash for seq ${anchor.seq}: the database lost commits, or its history was changed`);
console.log(`${events.length} events up to seq ${anchor.seq} proven by the anchor of ${escaped(String(kept.at))}`);

/** Each field behind its length in four bytes; ffffffff for null. */
function sha256(fields) {
  const hash = createHash('sha256');
  for (const field of fields) {
    if (field !== null && typeof field !== 'string' && !Buffer.isBuffer(field)) fail('a field is no text');
    const bytes = field === null ? null : Buffer.from(field);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes === null ? 0xffffffff : bytes.length);
    hash.update(length);
    if (bytes !== null) hash.update(bytes);
  }
  return hash.digest();
}

function hex(text) {
  if (typeof text !== 'string' || !/^([0-9a-f]{32}){1,2}$/.test(text)) fail('a digest or a salt has another form');
  return Buffer.from(text, 'hex');
}

/** Characters that a terminal would obey, or that change the order of others, as \u{…}. */
function escaped(text) {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}

function fail(message) {
  console.error(escaped(message));
  process.exit(1);
}
