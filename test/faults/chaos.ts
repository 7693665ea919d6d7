// What can happen to processors, their server and the wire between them, while customers go on ordering. Each is a
// function of a shop and a size; a small size is part of every test run, the stated one of the proof.
import { setTimeout as pause } from 'node:timers/promises';
import { asNumber, asText, only } from '../../src/db/index.ts';
import type { EngineOptions } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { startProxy } from '../support/proxy.ts';
import type { Shop } from './durable.ts';
import type { Reckoning } from './load.ts';
import { random, reckon, startLoad } from './load.ts';
import type { Processor } from './processors.ts';
import { startProcessor } from './processors.ts';

export interface ChaosSize {
  readonly seed: number;
  /** How many times it happens. */
  readonly times: number;
  /** Acknowledgements before each. */
  readonly every: number;
  readonly processors: number;
}

const crew = (shop: Shop, count: number, options: EngineOptions = {}): Promise<Processor[]> =>
  Promise.all(Array.from({ length: count }, () => startProcessor({ ...options, dataDir: shop.dataDir })));

const dismiss = (processors: readonly Processor[]): Promise<unknown> =>
  Promise.all(processors.map((processor) => processor.leave()));

/** kill -9 of one of the processors, and a new one in its place. */
export async function killProcessors(shop: Shop, size: ChaosSize): Promise<Reckoning> {
  const processors = await crew(shop, size.processors);
  const choose = random(size.seed);
  const load = startLoad(shop, { name: 'processors killed', seed: size.seed });
  for (let time = 0; time < size.times; time += 1) {
    await load.acknowledgements(size.every);
    const victim = choose(processors.length);
    await processors[victim]?.kill();
    processors[victim] = await startProcessor({ dataDir: shop.dataDir });
  }
  await load.stop();
  const reckoning = await reckon(shop, load);
  await dismiss(processors);
  return reckoning;
}

/** kill -9 of PostgreSQL, which those who use it bring back. */
export async function killServer(shop: Shop, size: ChaosSize): Promise<Reckoning> {
  const processors = await crew(shop, size.processors);
  const load = startLoad(shop, { name: 'server killed', seed: size.seed });
  for (let time = 0; time < size.times; time += 1) {
    await load.acknowledgements(size.every);
    await shop.killServer();
  }
  await load.acknowledgements(size.every);
  await load.stop();
  const reckoning = await reckon(shop, load);
  await dismiss(processors);
  return reckoning;
}

/** The wire of a processor and that of the customers are cut again and again as COMMIT passes, before or after. */
export async function cutWires(shop: Shop, size: ChaosSize): Promise<Reckoning> {
  const [wire, customersWire] = [await startProxy(shop.url), await startProxy(shop.url)];
  const processors = await Promise.all(
    Array.from({ length: size.processors }, () => startProcessor({ databaseUrl: wire.url })),
  );
  const customers = await createEngine({ databaseUrl: customersWire.url, poolSize: 8 });
  const choose = random(size.seed);
  const tenant = await customers.tenant('shop');
  const load = startLoad(shop, { name: 'wires cut', seed: size.seed, tenant });
  for (let time = 0; time < size.times; time += 1) {
    const when = choose(4) === 0 ? 'before' : 'after';
    await Promise.all([wire.cutAtCommit(when, choose(3)), customersWire.cutAtCommit(when, choose(10))]);
    await load.acknowledgements(size.every);
  }
  await load.stop();
  const reckoning = await reckon(shop, load);
  await dismiss(processors);
  await customers.close();
  await wire.close();
  await customersWire.close();
  return reckoning;
}

export interface Stopped extends Reckoning {
  /** What was due while it stood still, and was not done by the others in half a minute more. */
  readonly dueMeanwhile: number;
}

/**
 * A processor stands still between two statements of a batch, with everything the batch holds. The others must do its
 * payments meanwhile, as soon as the server has ended its session. Then it goes on, and must not do them again.
 */
export async function stopProcessor(
  shop: Shop,
  size: ChaosSize & { readonly forMs: number; readonly idleLimitMs?: number },
): Promise<Stopped> {
  const { forMs, idleLimitMs } = size;
  const processors = await crew(shop, size.processors, idleLimitMs === undefined ? {} : { idleLimitMs });
  const [victim] = processors;
  const load = startLoad(shop, { name: 'processor stopped', seed: size.seed });
  let dueMeanwhile = 0;
  for (let time = 0; time < size.times; time += 1) {
    await load.acknowledgements(size.every);
    await victim?.stop();
    await pause(forMs);
    dueMeanwhile += await leftOf(shop, await nowOf(shop));
    victim?.goOn();
    await victim?.hear('settled');
  }
  await load.stop();
  const reckoning = await reckon(shop, load);
  await dismiss(processors);
  return { ...reckoning, dueMeanwhile };
}

async function nowOf({ usance }: Shop): Promise<string> {
  return asText(only(await usance.db.query('select clock_timestamp()::text as now'))['now']);
}

/** Waits until nothing is left of what was due by then, but no longer than half a minute. */
async function leftOf({ usance }: Shop, instant: string): Promise<number> {
  for (let looks = 0; ; looks += 1) {
    const [row] = await usance.db.query('select count(*)::int as n from usance.due where due_at <= $1::timestamptz', [
      instant,
    ]);
    const left = asNumber(row?.['n']);
    if (left === 0 || looks === 600) return left;
    await pause(50);
  }
}

/** A processor and the customers live with a wall clock that is wrong and jumps. */
export async function skewClocks(shop: Shop, size: ChaosSize): Promise<Reckoning> {
  const clock = new URL('skewed-clock.ts', import.meta.url).href;
  const processors = await Promise.all(
    Array.from({ length: size.processors }, () => startProcessor({ dataDir: shop.dataDir }, [clock])),
  );
  const load = startLoad(shop, { name: 'clocks skewed', seed: size.seed });
  await load.acknowledgements(size.times * size.every);
  await load.stop();
  const reckoning = await reckon(shop, load);
  await dismiss(processors);
  return reckoning;
}
