// Walks every tenant's chain from its first link to its last, in one snapshot and a page at a time, and computes it again
// from the events. A chain that was made anew from the first changed event on is whole in itself: only an anchor, a copy of
// its end that was kept elsewhere, tells.
import type { Database, Sql } from '../db/index.ts';
import type { PlacedEvent } from '../events/index.ts';
import { countPlaced, readPlacedAt } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Anchor } from './anchor.ts';
import { isErased, namesErased } from './erased.ts';
import type { Head, Seal } from './seal.ts';
import { NO_HEAD, digestOf, hashOf } from './seal.ts';
import { readSeals, sealedTenants } from './store.ts';

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
  /** A chain is of no asset. */
  readonly asset: '';
  readonly details: Readonly<Record<string, unknown>>;
}

export interface ChainOptions {
  /** Null: none were given, and nothing is said about them. */
  readonly anchors?: readonly Anchor[] | null;
  /** After every page, so that the walk can be given up. */
  readonly onPage?: () => void;
}

const PAGE = 2_000;
const MOST_OFFENDERS = 100;

export async function verifyChains(db: Database, options: ChainOptions = {}): Promise<ChainResult[]> {
  const anchors = options.anchors ?? [];
  const broken = new Findings();
  const unanchored = new Findings();
  let rows = 0n;
  await db.transaction(
    async (tx) => {
      const tenants = new Set([...(await sealedTenants(tx)), ...anchors.map((anchor) => anchor.tenant)]);
      for (const tenantId of tenants) {
        const walk = new Walk(
          tenantId,
          anchors.filter((anchor) => anchor.tenant === tenantId),
          broken,
          unanchored,
        );
        for (;;) {
          const seals = await readSeals(tx, tenantId, walk.head.seq, PAGE);
          if (seals.length === 0) break;
          const events = await readPlacedAt(
            tx,
            seals.map((seal) => seal.place),
          );
          for (const seal of seals) walk.step(seal, events.get(seal.place));
          rows += BigInt(seals.length);
          options.onPage?.();
        }
        await walk.end(tx);
      }
    },
    { snapshot: true, probes: true },
  );
  const kind = 'bookkeeping' as const;
  const sealed = {
    name: 'events-are-as-sealed',
    kind,
    says: 'every sealed event is unchanged and in its position, and none is missing or added between them',
    rows,
    offenders: broken.found,
  };
  if (!options.anchors) return [sealed];
  const says = 'every anchor is a link of its tenant’s chain';
  return [sealed, { name: 'anchors-hold', kind, says, rows: BigInt(anchors.length), offenders: unanchored.found }];
}

/** Counts on after there are enough of them. */
class Findings {
  readonly found: ChainOffender[] = [];

  add(tenantId: Uuid, details: Readonly<Record<string, unknown>>): void {
    if (this.found.length < MOST_OFFENDERS) this.found.push({ tenantId, asset: '', details });
  }
}

class Walk {
  head: Head = NO_HEAD;
  readonly #tenantId: Uuid;
  readonly #anchors: Map<bigint, Anchor[]>;
  readonly #broken: Findings;
  readonly #unanchored: Findings;
  #place = 0n;
  #links = 0n;
  /** Erased, and nothing on the chain has said so yet. As many as were erased, at worst. */
  readonly #unexplained = new Map<Uuid, bigint>();

  constructor(tenantId: Uuid, anchors: readonly Anchor[], broken: Findings, unanchored: Findings) {
    this.#tenantId = tenantId;
    this.#anchors = Map.groupBy(anchors, (anchor) => anchor.seq);
    this.#broken = broken;
    this.#unanchored = unanchored;
  }

  step(seal: Seal, event: PlacedEvent | undefined): void {
    const wrong = this.#fault(seal, event);
    if (wrong) this.#broken.add(this.#tenantId, { seq: seal.seq.toString(), event: seal.eventId, found: wrong });
    for (const anchor of this.#anchors.get(seal.seq) ?? []) {
      if (anchor.hash !== seal.hash.toString('hex'))
        this.#unanchored.add(this.#tenantId, { seq: anchor.seq.toString(), at: anchor.at, found: 'another hash' });
    }
    if (event) for (const id of namesErased(event)) this.#unexplained.delete(id);
    this.head = { seq: seal.seq, hash: seal.hash };
    this.#place = seal.place;
    this.#links += 1n;
  }

  #fault(seal: Seal, event: PlacedEvent | undefined): string | null {
    if (seal.seq !== this.head.seq + 1n) return `links missing before it, from ${this.head.seq + 1n} on`;
    if (!seal.previous.equals(this.head.hash)) return 'not the link that was behind the one before';
    if (seal.place <= this.#place) return 'out of order';
    if (!event) return 'the event is gone';
    if (event.id !== seal.eventId || event.tenantId !== seal.tenantId) return 'another event in its place';
    if (seal.salt === null && isErased(event)) this.#unexplained.set(event.id, seal.seq);
    else if (seal.salt === null || !digestOf(event, seal.salt).equals(seal.digest)) return 'its data was changed';
    return hashOf(event, seal).equals(seal.hash) ? null : 'the event or its link was changed';
  }

  async end(sql: Sql): Promise<void> {
    const tenantId = this.#tenantId;
    const placed = await countPlaced(sql, tenantId, this.#place);
    if (placed !== this.#links)
      this.#broken.add(tenantId, { found: `${placed} events up to the last link, and ${this.#links} links` });
    for (const [event, seq] of this.#unexplained)
      this.#broken.add(tenantId, { seq: seq.toString(), event, found: 'erased, and nothing says by whom' });
    for (const anchor of [...this.#anchors.values()].flat()) {
      if (anchor.seq > this.head.seq)
        this.#unanchored.add(tenantId, {
          seq: anchor.seq.toString(),
          at: anchor.at,
          found: `the chain ends at ${this.head.seq}`,
        });
    }
  }
}
