import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * A port where nobody listens, and where nobody will until the test is over: an open connection goes out from it. One that was
 * only free a moment ago may be anybody's by now.
 */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  return socket.localPort ?? 0;
}
