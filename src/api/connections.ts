// Connections of one address, and how long one stays open for a caller that showed no key: a machine that opens thousands and
// says nothing must not keep others out. Trusted proxies carry everybody's connections and are not counted.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { neighbourhoodOf, plainAddress } from './address.ts';

export function limitConnections(server: Server, most: number, isTrusted: (address: string) => boolean): void {
  if (most === 0) return;
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (address === null || isTrusted(address)) return;
    const name = neighbourhoodOf(address);
    const count = (open.get(name) ?? 0) + 1;
    if (count > most) {
      socket.destroy();
      return;
    }
    open.set(name, count);
    socket.once('close', () => {
      const left = (open.get(name) ?? 1) - 1;
      if (left === 0) open.delete(name);
      else open.set(name, left);
    });
  });
}

/** After an answer Node waits for the next request for as long as callers with a key may take; a stranger gets less. */
export function keepAliveFor(socket: Socket, ms: number): void {
  if (!socket.destroyed) socket.setTimeout(ms);
}
