// A mail server on the loopback that keeps what it accepts, and reads it as a mail reader does.
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';
import type { Engine } from '../../src/engine.ts';
import type { Counts } from '../../src/kernel/index.ts';
import { matchAll, order } from '../jobs/matcher.ts';

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly secure: boolean;
  readonly user: string | null;
  readonly raw: string;
  /** By lower-case name, unfolded and decoded. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
}

export interface MailServer {
  readonly port: number;
  /** To this address, oldest first. */
  mailsTo(address: string): Mail[];
  readonly mails: readonly Mail[];
  /** What `RCPT TO` of an address is answered with, once or always; `hang`: nothing. */
  answers(address: string, answer: number | 'hang' | null): void;
  /** What every message is answered with after its text; null: it is accepted. */
  answersData(answer: number | null): void;
  connections(): number;
}

const smtpError = (code: number): Error => Object.assign(new Error('refused by the test'), { responseCode: code });

export async function openMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: Mail[] = [];
  const answers = new Map<string, number | 'hang'>();
  let ofData: number | null = null;
  let connected = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.secure || options.cert ? [] : ['STARTTLS'],
    onConnect(_session, callback) {
      connected += 1;
      callback();
    },
    onAuth({ username, password }, _session, callback) {
      if (password === 's3cret') callback(null, { user: username });
      else callback(smtpError(535));
    },
    onRcptTo({ address }, _session, callback) {
      const answer = answers.get(address);
      if (answer === 'hang') return;
      callback(answer === undefined ? null : smtpError(answer));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (ofData !== null) {
          callback(smtpError(ofData));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: session.user ?? null,
          ...read(Buffer.concat(chunks).toString('latin1')),
        });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  opened.push(server);
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    mailsTo: (address) => mails.filter(({ to }) => to.includes(address)),
    answers(address, answer) {
      if (answer === null) answers.delete(address);
      else answers.set(address, answer);
    },
    answersData(answer) {
      ofData = answer;
    },
    connections: () => connected,
  };
}

const opened: SMTPServer[] = [];

/** Call at the top of a file. */
export function useMailServers(): void {
  afterAll(async () => {
    for (const server of opened.splice(0)) {
      for (const connection of (server as unknown as { connections: Set<{ _socket: { destroy(): void } }> })
        .connections)
        connection._socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    }
  });
}

/** Orders and matches events, and runs the loop of e-mails until nothing is due. */
export async function sendEmails(engine: Engine): Promise<Counts> {
  await order(engine);
  await matchAll(engine);
  const loop = engine.loops.find(({ name }) => name === 'emails');
  if (!loop) throw new Error('there is no loop of e-mails');
  return (await loop.runOnce()).counts;
}

function read(raw: string): Pick<Mail, 'raw' | 'headers' | 'text' | 'html'> {
  const { headers, body } = split(raw);
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r\n/, '')));
  const part = (type: string): string => {
    const found = parts.find((one) => one.headers['content-type']?.startsWith(type));
    return found
      ? decode(found.body, found.headers['content-transfer-encoding'] ?? '7bit').replaceAll('\r\n', '\n')
      : '';
  };
  return { raw, headers, text: part('text/plain'), html: part('text/html') };
}

function split(raw: string): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line) => {
    const at = line.indexOf(':');
    // Intl writes narrow and no-break spaces into amounts.
    return [line.slice(0, at).toLowerCase(), words(line.slice(at + 1).trim()).replaceAll(/[\u00A0\u202F]/g, ' ')];
  });
  return { headers: Object.fromEntries(headers) as Record<string, string>, body: raw.slice(end + 4) };
}

/** Encoded words of RFC 2047. */
const words = (value: string): string =>
  value.replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=(?:\s+(?==\?))?/gi, (_, encoding: string, text: string) =>
    encoding.toLowerCase() === 'b'
      ? Buffer.from(text, 'base64').toString()
      : Buffer.from(
          text
            .replaceAll('_', ' ')
            .replaceAll(/=([0-9A-F]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        ).toString(),
  );

function decode(body: string, encoding: string): string {
  const text = body.replace(/\r\n$/, '');
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString();
  if (encoding !== 'quoted-printable') return Buffer.from(text, 'latin1').toString();
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
