// The demo world beside a running `usance dev`: prepared before the first screen, which has a link to it, and filled after it. Nothing of it can
// stop the command: a fill that fails says so, and the next start completes it.
import type { Config } from '../../config.ts';
import type { Engine } from '../../engine.ts';
import { Refusal, describeError } from '../../kernel/index.ts';
import type { Usance } from '../../library/index.ts';
import type { Screen } from '../screen.ts';
import { reopenReceiver } from './endpoints.ts';
import type { WorldKey } from './key.ts';
import { ensureWorldKey } from './key.ts';
import type { Receiver } from './receiver.ts';
import { Stopped } from './stage.ts';
import type { DemoWorld } from './world.ts';
import { DEMO_WORLD, ensureDemoWorld, fillDemoWorld } from './world.ts';

export interface PreparedWorld {
  readonly world: DemoWorld;
  /** Null: an operator has revoked it. */
  readonly key: WorldKey | null;
  /** Open: `fillInBackground` closes it at its end. */
  readonly receiver: Receiver;
}

/** Before the loops start: deliveries that are due find their receiver. Null if there is none, or it cannot be prepared. */
export async function prepareDemoWorld(engine: Engine, config: Config, screen: Screen): Promise<PreparedWorld | null> {
  try {
    const world = await ensureDemoWorld(engine);
    if (world === null) return null;
    const key = await ensureWorldKey(engine, config, world.tenant);
    return { world, key, receiver: await reopenReceiver(world.tenant) };
  } catch (error) {
    tell(screen, error);
    return null;
  }
}

/** Begins to fill the world. Returns how to end: it waits for the step under way. */
export function fillInBackground(
  engine: Engine,
  usance: Pick<Usance, 'tenant'>,
  { world, receiver }: Pick<PreparedWorld, 'world' | 'receiver'>,
  { screen, stop }: { readonly screen: Screen; readonly stop: AbortSignal },
): () => Promise<void> {
  const filled = fillDemoWorld(engine, usance, world, { receiver, stop }).catch((error: unknown) =>
    tell(screen, error),
  );
  return async () => {
    await filled;
    await receiver.close();
  };
}

function tell(screen: Screen, error: unknown): void {
  if (error instanceof Stopped) return;
  const cause = error instanceof Refusal ? `${error.message} (${error.code})` : describeError(error);
  screen.notice(`usance: ${DEMO_WORLD} was not filled: ${cause}. The next start completes it; --no-demo leaves it out`);
}
