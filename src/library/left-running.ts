// A program that ends without `close` cannot stop its embedded server any more: it has no time left to ask whether other programs use
// it. So it says what is left, and how to stop it.
import { resolve } from 'node:path';

/** Call the result when the server has been left properly. */
export function sayIfLeftRunning({
  embedded,
  place,
}: {
  readonly embedded: boolean;
  readonly place: string;
}): () => void {
  const say = (): void => {
    process.stderr.write(
      `usance: the embedded PostgreSQL in ${resolve(place)} keeps running, because usance.close() was not called: \`npx usance stop\` stops it\n`,
    );
  };
  if (embedded) process.once('exit', say);
  return () => void process.off('exit', say);
}
