// A program that uses the embedded server, for the tests to start, talk to and kill. Says each thing as one line of
// JSON; leaves when its input ends.
import { openEmbedded } from '../../../src/db/embedded/index.ts';

const [dataDir, settings] = process.argv.slice(2);
const say = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
try {
  const server = await openEmbedded({
    dataDir: dataDir ?? '',
    settings: JSON.parse(settings ?? '{}') as Record<string, string>,
    onNotice: (notice) => say({ notice }),
  });
  const { port, pid, adopted, ownerUrl, runtimeUrl } = server;
  say({ port, pid, adopted, ownerUrl, runtimeUrl });
  process.stdin.resume();
  process.stdin.once('end', async () => {
    await server.release();
    say({ released: true });
  });
} catch (error) {
  say({ error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
}
