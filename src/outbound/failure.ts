// The coded end of an order without a response. Its text is shown to tenants and logged, so it has no path, query, header or address.

export const OUTBOUND_CODES = [
  'BLOCKED_ADDRESS',
  'BLOCKED_URL',
  'DNS_FAILED',
  'CONNECT_FAILED',
  'TLS_FAILED',
  'TIMED_OUT',
  'RESET',
  'BAD_RESPONSE',
  'ABORTED',
] as const;
export type OutboundCode = (typeof OUTBOUND_CODES)[number];

export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';
  readonly code: OutboundCode;
  /** The status of a response that began and did not end. */
  readonly status: number | null;

  constructor(code: OutboundCode, message: string, status: number | null = null) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

const WORD = /^[A-Z][A-Z0-9_]{1,60}$/;

/** The code of an error of Node, OpenSSL or undici: a word, never a text with data in it. */
export function codeOf(error: unknown): string {
  const given = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof given === 'string' && WORD.test(given) ? given : 'no code';
}
