// A program that ends without `close` cannot stop its embedded server: it has no time left to check whether other programs use it. So
// it prints that the server keeps running, and how to stop it.
import { resolve } from 'node:path';

/** Call the result after the server was closed properly. */
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
