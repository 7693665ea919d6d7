// A wire between a client and the server that can be cut at the worst moment: when COMMIT passes. It reads just enough of
// the protocol to see each message of the client whole (a type byte, a length, a body; the first has no type byte).
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

/**
 * `before`: the server never hears the COMMIT. `after`: it commits, and its answer never arrives. `kept`: the same, but
 * the connection stays, and whoever waits for the answer still does.
 */
export type Cut = 'before' | 'after' | 'kept';

export interface Proxy {
  /** The same address, through the wire. */
  readonly url: string;
  /** Cuts the next connection that commits, or only the one after `skip` commits. Resolves when it is cut. */
  cutAtCommit(when: Cut, skip?: number): Promise<void>;
  /** Cuts every connection now. */
  cutAll(): void;
  /** From now on nothing passes on the connections that are open, and neither side is told. */
  freeze(): void;
  /** How many connections were made. */
  readonly connections: number;
  close(): Promise<void>;
}

interface Order {
  readonly when: Cut;
  skip: number;
  readonly done: () => void;
}

export interface ProxyOptions {
  /** Hears every statement of a client, with the number of its connection. */
  readonly onStatement?: (text: string, connection: number) => void;
}

export async function startProxy(url: string, { onStatement }: ProxyOptions = {}): Promise<Proxy> {
  const target = new URL(url);
  const pairs = new Set<readonly [Socket, Socket]>();
  let connections = 0;
  let order: Order | null = null;
  let frozenUpTo = 0;

  // Without noDelay every statement waits for the acknowledgement of the one before it: 40 ms each.
  const server = createServer({ noDelay: true }, (client) => {
    const connection = (connections += 1);
    const upstream = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    const pair = [client, upstream] as const;
    pairs.add(pair);
    let cutting = false;
    const cut = (): void => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of pair) socket.on('error', cut).on('close', cut);

    const messages = readMessages((message) => {
      if (cutting || connection <= frozenUpTo) return;
      const text = onStatement && statementIn(message);
      if (text) onStatement(text, connection);
      if (order !== null && isCommit(message) && order.skip-- <= 0) {
        const { when, done } = order;
        order = null;
        cutting = true;
        // The answer to COMMIT is the sign that it was carried out; it is thrown away.
        if (when === 'before') upstream.end();
        else upstream.write(message);
        upstream.once(when === 'before' ? 'close' : 'data', () => {
          if (when !== 'kept') cut();
          done();
        });
        return;
      }
      upstream.write(message);
    });
    client.on('data', messages);
    upstream.on('data', (data) => {
      if (!cutting && connection > frozenUpTo) client.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const cutAll = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  return {
    url: Object.assign(new URL(url), { port: String(port) }).href,
    cutAtCommit: (when, skip = 0) =>
      new Promise((resolve) => {
        order = { when, skip, done: resolve };
      }),
    cutAll,
    freeze: () => {
      frozenUpTo = connections;
    },
    get connections() {
      return connections;
    },
    close: () =>
      new Promise((resolve) => {
        cutAll();
        server.close(() => resolve());
      }),
  };
}

/** Puts bytes together to messages. */
function readMessages(onMessage: (message: Buffer) => void): (data: Buffer) => void {
  let waiting = Buffer.alloc(0);
  let started = false;
  return (data) => {
    waiting = Buffer.concat([waiting, data]);
    for (;;) {
      const head = started ? 1 : 0;
      if (waiting.length < head + 4) return;
      const length = head + waiting.readUInt32BE(head);
      if (waiting.length < length) return;
      started = true;
      onMessage(waiting.subarray(0, length));
      waiting = waiting.subarray(length);
    }
  };
}

/** The text of a simple query (`Q`) or of a prepared one (`P`: its name, then the text); null for any other message. */
function statementIn(message: Buffer): string | null {
  const type = String.fromCharCode(message[0] ?? 0);
  if (type !== 'Q' && type !== 'P') return null;
  const [first = '', second = ''] = message.subarray(5).toString('latin1').split('\0');
  return type === 'Q' ? first : second;
}

function isCommit(message: Buffer): boolean {
  return /^\s*(commit|end)\b/i.test(statementIn(message) ?? '');
}
