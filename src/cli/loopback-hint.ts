// Options of commands with a URL that requests are sent to: what to do if it is one of this machine.
import type { Config } from '../config.ts';
import { Refusal } from '../kernel/index.ts';
import { isThisMachine } from './remote.ts';
import { suggest } from './trouble.ts';

/** A refused URL of this machine: "usance dev" admits it, and a command beside it does not. */
export async function suggestingLoopback(
  { production, outbound }: Config,
  url: string | undefined,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    const isRefused = error instanceof Refusal && error.code === 'URL_REFUSED';
    const isLocal = url !== undefined && URL.canParse(url) && isThisMachine(new URL(url));
    if (isRefused && isLocal && !production && !outbound.loopback)
      suggest(
        error,
        'for a receiver on this machine, as "usance dev" admits it, set USANCE_OUTBOUND_LOOPBACK=1 for this command',
      );
    throw error;
  }
}
