// Speaks just enough of PostgreSQL's protocol to be asked its version: lets everyone in, and answers every query with 14.
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number): Buffer =>
  Buffer.from([value >> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]);

const TEXT_OID = 25;
const column = (name: string): Buffer =>
  Buffer.concat([
    Buffer.from(`${name}\0`),
    int32(0),
    int16(0),
    int32(TEXT_OID),
    int16(-1 & 0xffff),
    int32(-1),
    int16(0),
  ]);
const cell = (text: string): Buffer => Buffer.concat([int32(text.length), Buffer.from(text)]);

const READY = message('Z', Buffer.from('I'));
const WELCOME = Buffer.concat([message('R', int32(0)), READY]);
const VERSION_14 = Buffer.concat([
  message('T', Buffer.concat([int16(2), column('number'), column('name')])),
  message('D', Buffer.concat([int16(2), cell('140011'), cell('14.11')])),
  message('C', Buffer.from('SELECT 1\0')),
  READY,
]);

export async function startOldServer(): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    // The first packet has no type; it arrives whole, as everything this small does on loopback.
    socket.once('data', () => {
      socket.write(WELCOME);
      socket.on('data', (chunk) => (chunk.toString('latin1', 0, 1) === 'Q' ? socket.write(VERSION_14) : socket.end()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://app:secret-word@127.0.0.1:${port}/shop`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
