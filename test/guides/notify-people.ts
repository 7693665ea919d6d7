// The program that takes the place of Slack in the guide to notifications: on a port of its own, and stopped whatever happens.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export const NOTIFY_GUIDE = 'notify-people.md';
/** The port on the page. */
const PORT = '9099';

export interface SinkPort {
  /** The page with another port. */
  readonly withPort: (text: string) => string;
  /** What was printed, with the port of the page. */
  readonly asOnPage: (text: string) => string;
}

export async function sinkPort(): Promise<SinkPort> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = String((server.address() as AddressInfo).port);
  await new Promise((resolve) => server.close(resolve));
  return { withPort: (text) => text.replaceAll(PORT, port), asOnPage: (text) => text.replaceAll(port, PORT) };
}

/** The page stops it at its end; a test that fails before does it here. */
export function stopSink(folder: string): void {
  const file = join(folder, 'sink.pid');
  if (!existsSync(file)) return;
  try {
    process.kill(Number(readFileSync(file, 'utf8')));
  } catch {
    // It has ended.
  }
}
