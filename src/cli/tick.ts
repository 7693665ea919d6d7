// One tick of some loops, for a cron: each runs until it has nothing to do, then the summary is printed and stored.
import type { Config } from '../config.ts';
import type { Engine } from '../engine.ts';
import type { Counts, Loop } from '../kernel/index.ts';
import type { StoreOptions } from './run.ts';
import { withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { grouped } from './screen.ts';
import { EXIT } from './trouble.ts';

export async function tick(
  screen: Screen,
  config: Config,
  names: readonly string[],
  { readsSecrets = false, ...more }: Pick<StoreOptions, 'processors' | 'readsSecrets' | 'webhookPresenter'> = {},
): Promise<number> {
  const options = { resident: true, readsSecrets, once: 'worker', ...more } as const;
  return withUsance(screen, config, options, async (engine, stop) => {
    const done: Record<string, Counts> = {};
    for (const name of names) {
      const counts = (done[name] = await runOut(loopOf(engine, name), stop));
      screen.line(`${name}: ${describe(counts)}`);
    }
    if (!names.includes('metrics')) await loopOf(engine, 'metrics').runOnce();
    screen.document(done);
    return Object.values(done).some((counts) => (counts['violations'] ?? 0) > 0) ? EXIT.wrong : EXIT.fine;
  });
}

/** Until there is no more work, or the command is asked to stop. A check of the books covers all accounts, not one slice. */
export async function runOut(
  loop: Pick<Loop, 'runOnce'>,
  stop: AbortSignal,
  goesOn: (counts: Counts) => boolean = () => true,
): Promise<Counts> {
  const total: Record<string, number> = {};
  while (!stop.aborted) {
    const { counts, more } = await loop.runOnce();
    for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
    const isUnderWay = counts['passes'] === 0 || counts['walks'] === 0;
    if (!(more || isUnderWay) || !goesOn(counts)) break;
  }
  return total;
}

export function loopOf(engine: Engine, name: string): Loop {
  const found = engine.loops.find((loop) => loop.name === name);
  if (!found) throw new Error(`expected a loop named ${name}`);
  return found;
}

function describe(counts: Counts): string {
  const parts = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${name} ${grouped(count)}`] : []));
  return parts.length > 0 ? parts.join(', ') : 'nothing to do';
}
