// Walks every tenant's chain from its first link to its last, a page at a time, and computes it again from the events. Links and events
// never change, except by erasing, so that no snapshot has to stay open. A chain that was rebuilt from the first changed event on is
// whole in itself: only an anchor, a copy of its end that was kept elsewhere, shows that.
import type { Database, Transaction } from '../db/index.ts';
import { isLastingError, sqlState } from '../db/index.ts';
import type { ChainPath, Link, StoredEvent } from '../events/index.ts';
import {
  chainedTenants,
  endOf,
  linkBlock,
  listEventsOf,
  readBlockEvents,
  readLinks,
  skippedPath,
} from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Anchor } from './anchor.ts';
import { faultInBlock, partsByEvents } from './check-block.ts';
import { ERASED, isErased, namesErased } from './erased.ts';

/** In the form of the other checks. */
export interface ChainResult {
  readonly name: string;
  readonly kind: 'bookkeeping';
  readonly says: string;
  readonly rows: bigint;
  readonly offenders: readonly ChainOffender[];
}

export interface ChainOffender {
  readonly tenantId: Uuid;
  /** A chain belongs to no asset. */
  readonly asset: '';
  readonly details: Readonly<Record<string, unknown>>;
}

export interface ChainOptions {
  /** Null: no anchors were given, and the result has no check of them. */
  readonly anchors?: readonly Anchor[] | null;
}

const LINKS_A_PAGE = 1_000;
const MOST_OFFENDERS = 100;

export async function verifyChains(db: Database, options: ChainOptions = {}): Promise<ChainResult[]> {
  const anchors = options.anchors ?? [];
  const broken = new Findings();
  const unanchored = new Findings();
  let rows = 0n;
  const reading = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => db.transaction(work, { probes: true });
  const tenants = new Set([...(await reading(chainedTenants)), ...anchors.map((anchor) => anchor.tenant)]);
  for (const tenantId of tenants) {
    const own = anchors.filter((anchor) => anchor.tenant === tenantId);
    const walk = new Walk(tenantId, own, broken, unanchored);
    try {
      for (;;) {
        const links = await reading((tx) => readLinks(tx, tenantId, walk.lastSeq, LINKS_A_PAGE));
        if (links.length === 0) break;
        for (const part of partsByEvents(links)) {
          const events = await reading((tx) => readBlockEvents(tx, part));
          part.forEach((link, index) => walk.step(link, events[index] ?? []));
          rows += part.reduce((sum, link) => sum + BigInt(link.events), 0n);
        }
      }
      await reading((tx) => walk.end(tx));
    } catch (error) {
      // One chain that cannot be read is a finding of its tenant. The others are read.
      if (!isLastingError(error)) throw error;
      broken.add(tenantId, {
        seq: walk.lastSeq.toString(),
        found: 'what follows cannot be read',
        error: sqlState(error),
      });
    }
  }
  const kind = 'bookkeeping' as const;
  const sealed = {
    name: 'events-are-as-sealed',
    kind,
    says: 'every ordered event is unchanged and in its position, and none is missing or added between them',
    rows,
    offenders: broken.found,
  };
  if (!options.anchors) return [sealed];
  const says = 'every anchor is a link of its tenant’s chain';
  return [sealed, { name: 'anchors-hold', kind, says, rows: BigInt(anchors.length), offenders: unanchored.found }];
}

/** Keeps the first 100. */
class Findings {
  readonly found: ChainOffender[] = [];

  add(tenantId: Uuid, details: Readonly<Record<string, unknown>>): void {
    if (this.found.length < MOST_OFFENDERS) this.found.push({ tenantId, asset: '', details });
  }
}

class Walk {
  readonly #tenantId: Uuid;
  readonly #anchors: Map<bigint, Anchor[]>;
  readonly #broken: Findings;
  readonly #unanchored: Findings;
  #path: ChainPath = [];
  /** Erased events that no `audit_event.erased` has named so far, with the seq of their link. */
  readonly #unexplained = new Map<Uuid, bigint>();

  constructor(tenantId: Uuid, anchors: readonly Anchor[], broken: Findings, unanchored: Findings) {
    this.#tenantId = tenantId;
    this.#anchors = Map.groupBy(anchors, (anchor) => anchor.seq);
    this.#broken = broken;
    this.#unanchored = unanchored;
  }

  get lastSeq(): bigint {
    return endOf(this.#path).lastSeq;
  }

  step(link: Link, events: readonly StoredEvent[]): void {
    const seq = link.lastSeq.toString();
    const wrong = this.#faultOf(link);
    if (wrong !== null) this.#broken.add(this.#tenantId, { seq, found: wrong });
    const fault = faultInBlock(link, events);
    if (fault) this.#broken.add(this.#tenantId, { seq, ...fault });
    for (const anchor of this.#anchors.get(link.lastSeq) ?? []) {
      if (anchor.hash !== link.hash.toString('hex')) this.#refute(anchor, 'another hash');
    }
    this.#anchors.delete(link.lastSeq);
    for (const event of events) {
      if (isErased(event)) this.#unexplained.set(event.id, link.lastSeq);
      for (const id of namesErased(event)) this.#unexplained.delete(id);
    }
    const { number, lastSeq, hash } = link;
    this.#path = [...skippedPath(this.#path), { number, lastSeq, hash }];
  }

  #faultOf(link: Link): string | null {
    const end = endOf(this.#path);
    if (link.number !== end.number + 1n) return `links are missing before it, from number ${end.number + 1n} on`;
    const { link: expected } = linkBlock(this.#path, link);
    if (expected.lastSeq !== link.lastSeq) return `its last seq should be ${expected.lastSeq}`;
    return expected.hash.equals(link.hash) && expected.skipSeq === link.skipSeq ? null : 'the link was changed';
  }

  #refute(anchor: Anchor, found: string): void {
    this.#unanchored.add(this.#tenantId, { seq: anchor.seq.toString(), at: anchor.at, found });
  }

  async end(tx: Transaction): Promise<void> {
    const tenantId = this.#tenantId;
    // An erasure during this walk may not be ordered yet: its event is read unordered.
    if (this.#unexplained.size > 0) {
      const records = await listEventsOf(tx, tenantId, tenantId, { limit: 100_000 });
      for (const { type, data } of records.filter((event) => event.type === ERASED))
        for (const id of namesErased({ type, data: JSON.stringify(data) })) this.#unexplained.delete(id);
    }
    for (const [event, seq] of this.#unexplained)
      this.#broken.add(tenantId, { seq: seq.toString(), event, found: 'erased, and nothing says by whom' });
    const { lastSeq } = endOf(this.#path);
    for (const anchor of [...this.#anchors.values()].flat())
      this.#refute(anchor, anchor.seq > lastSeq ? `the chain ends at ${lastSeq}` : 'no block ends there');
  }
}
