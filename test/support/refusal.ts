// The code of a refusal, as a value: a test then says in one line what is refused and why. Anything else that is
// thrown is thrown on, because an error of the driver is no refusal.
import { Refusal } from '../../src/kernel/index.ts';

export async function refusalOf(work: Promise<unknown>): Promise<string> {
  return work.then(() => 'not refused', code);
}

/** The code with its reason, `CODE/reason`; the code where it has one sentence. */
export async function refusedFor(work: Promise<unknown>): Promise<string> {
  return work.then(() => 'not refused', keyOf);
}

export function refusedWith(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return code(error);
  }
  return 'not refused';
}

function code(error: unknown): string {
  if (error instanceof Refusal) return error.code;
  throw error;
}

function keyOf(error: unknown): string {
  const { reason } = error instanceof Refusal ? error : {};
  return reason === undefined ? code(error) : `${code(error)}/${reason}`;
}
