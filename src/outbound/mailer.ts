// The operator's mail server: nodemailer speaks SMTP over a socket of this module. A failure says at most which command was answered with
// which code: a response can have the address of the recipient.
import type { Socket } from 'node:net';
import nodemailer from 'nodemailer';
import type { Outbound } from './outbound.ts';

/** Settings of the operator. */
export interface SmtpSettings {
  /** `smtp://user:password@mail.example.com:587` with STARTTLS, or `smtps://…:465`. `?tls=none` sends without TLS. */
  readonly url: string;
  /** The sender of every e-mail, `no-reply@example.com`. */
  readonly from: string;
  /** The public URL of the API, for links to unsubscribe. */
  readonly publicUrl: string;
  /** E-mails of one tenant in 24 hours; 0: no limit. Default 10,000. */
  readonly perDay?: number;
  /** For tests: the certificate of an authority to trust. Default: those of Node. */
  readonly ca?: string;
  /** For tests: how long to wait for each response, in milliseconds. Default 15,000. */
  readonly responseMs?: number;
}

export interface Email {
  readonly messageId: string;
  readonly fromName: string;
  readonly replyTo: string | null;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** `refused`: the server does not accept this recipient or this message. `failed`: it may later. */
export type SentEmail =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'refused' | 'failed'; readonly code: number | null; readonly error: string };

export interface Mailer {
  send(email: Email): Promise<SentEmail>;
  /** Connects and signs in. Null, or why it cannot. */
  check(): Promise<string | null>;
  close(): void;
}

type OnSocket = (error: Error | null, socket?: { readonly connection: Socket }) => void;

const CONNECTIONS = 5;
const MAX_MESSAGES = 100;
const IDLE_MS = 15_000;
/** For the greeting and for every response. */
const RESPONSE_MS = 15_000;
const CONNECT_MS = 10_000;
/** 5xx to one of these is about this e-mail, and not about the sender or the connection. */
const ABOUT_THE_EMAIL: ReadonlySet<string> = new Set(['RCPT TO', 'DATA']);

export function createMailer(
  { url, from, ca, responseMs = RESPONSE_MS }: SmtpSettings,
  outbound: Pick<Outbound, 'socket'>,
): Mailer {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'smtps:';
  const withoutTls = !secure && searchParams.get('tls') === 'none';
  const at = port === '' ? (secure ? 465 : 587) : Number(port);
  const connectFor = async (callback: OnSocket): Promise<void> => {
    const connection = await outbound
      .socket(host, at, { timeoutMs: CONNECT_MS, setBy: 'operator' })
      .catch((error: unknown) => (error instanceof Error ? error : new Error('no connection')));
    if (connection instanceof Error) callback(connection);
    else callback(null, { connection });
  };
  const transport = nodemailer.createTransport({
    pool: true,
    host,
    port: at,
    secure,
    requireTLS: !secure && !withoutTls,
    ignoreTLS: withoutTls,
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) },
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    maxConnections: CONNECTIONS,
    maxMessages: MAX_MESSAGES,
    // A message whose connection was lost is for the next attempt of its execution, which is counted.
    maxRequeues: 0,
    idleTimeout: IDLE_MS,
    greetingTimeout: responseMs,
    socketTimeout: responseMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options: unknown, callback: OnSocket) => void connectFor(callback),
  });
  // The pool reports errors of idle connections; those of a message are reported to it.
  transport.on('error', () => undefined);
  return {
    async send({ messageId, fromName, replyTo, to, headers, subject, text, html }) {
      try {
        await transport.sendMail({
          envelope: { from, to: [to] },
          from: { name: fromName, address: from },
          to: { name: '', address: to },
          ...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }),
          messageId,
          headers,
          subject,
          text,
          html,
        });
        return { outcome: 'sent' };
      } catch (error) {
        return judge(error);
      }
    },
    async check() {
      try {
        await transport.verify();
        return null;
      } catch (error) {
        return judge(error).error;
      }
    },
    close: () => transport.close(),
  };
}

function judge(error: unknown): Exclude<SentEmail, { outcome: 'sent' }> {
  const { code, responseCode, command } = (error ?? {}) as Readonly<
    Record<'code' | 'responseCode' | 'command', unknown>
  >;
  const answered = typeof responseCode === 'number' ? responseCode : null;
  const of = typeof command === 'string' ? command : 'CONN';
  if (answered === null) {
    const what = typeof code === 'string' && /^[A-Z]{1,20}$/.test(code) ? code : 'no connection';
    return { outcome: 'failed', code: null, error: `the mail server could not be used (${what}, ${of})` };
  }
  const isRefused = answered >= 500 && ABOUT_THE_EMAIL.has(of);
  return {
    outcome: isRefused ? 'refused' : 'failed',
    code: answered,
    error: `the mail server answered ${answered} to ${of}`,
  };
}
