export { isHeaderValue, isOwnHeader } from './exchange.ts';
export { OUTBOUND_CODES, OutboundFailure } from './failure.ts';
export type { OutboundCode } from './failure.ts';
export { createMailer } from './mailer.ts';
export type { Email, Mailer, SentEmail, SmtpSettings } from './mailer.ts';
export { fetchForOperator } from './operator.ts';
export { createOutbound } from './outbound.ts';
export type { Outbound, OutboundOptions, OutboundOrder, OutboundResponse, OutboundSettings } from './outbound.ts';
