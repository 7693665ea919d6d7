// The receipt of a payment: what happened to it, provable without the database.
import { Type } from 'typebox';
import { paymentKey } from '../wire-format.ts';
import { route } from '../route.ts';
import { closed, idOf, oneOf } from '../schemas.ts';
import { refusedAs } from '../validate.ts';
import { PAYMENT } from './examples.ts';

const hash = (description: string) =>
  Type.String({ description, pattern: '^[0-9a-f]{64}$', examples: ['9f'.repeat(32)] });
const uuid = (description: string) => Type.String({ format: 'uuid', description });
const count = (description: string) => Type.String({ description, pattern: '^[0-9]+$' });

const digests = Type.Array(hash('A digest.'), {
  description: 'The digests beside the way from the event to the digest of its block, lowest first.',
});

const Details = Type.Unsafe<Readonly<Record<string, string | null>>>({
  type: 'object',
  additionalProperties: { type: ['string', 'null'] },
  description:
    'Erasable fields: `data` (the exact text), `ip`, `agent`, `request`, `trace`, `reason` and their `salt`; once erased, only their ' +
    'digest as `erased`.',
});

const ReceiptEvent = closed(
  {
    seq: count('Its number among the events of the tenant.'),
    id: uuid('The id of the event, as a UUID: the hashes cover it.'),
    type: Type.String({
      description: 'The type of the event, such as `payment.settled`.',
      examples: ['payment.settled'],
    }),
    version: Type.Integer({ description: 'The version of the schema of `data`.' }),
    resource: Type.String({ description: 'The kind of resource, such as `payment`.', examples: ['payment'] }),
    subject: uuid('The id of the resource, as a UUID.'),
    actor: Type.String({ description: 'The caller: a key, a command, or a loop.' }),
    occurred: count('When it happened by the tenant’s clock, in microseconds since 1970.'),
    details: Details,
    proof: digests,
  },
  { title: 'ReceiptEvent' },
);

const ReceiptLink = closed(
  {
    number: count('Its number in the chain of the tenant.'),
    seq: count('The seq of its last event.'),
    events: Type.Integer({ description: 'How many events its block has.' }),
    block: uuid('The id of its block, as a UUID.'),
    recorded: count('When it was appended, in microseconds since 1970.'),
    digest: hash('The digest of its block.'),
    previous: hash('The hash of the link before it.'),
    skipped: hash('The hash of the earlier link that it covers too.'),
  },
  { title: 'ReceiptLink' },
);

const Receipt = closed(
  {
    format: oneOf(['usance receipt 3', 'usance receipt 4'], {
      description: 'The format and its version: 4 if the caller of an event gave a reason.',
    }),
    tenant: uuid('The tenant, as a UUID.'),
    anchor: closed(
      { seq: count('The seq of the anchor.'), hash: hash('The hash that your copy of the anchor must have.') },
      { description: 'The end of the chain that the receipt leads to.' },
    ),
    total: Type.Integer({ description: 'Events of the payment up to the anchor.' }),
    omitted: Type.Integer({
      description: 'Events that the receipt leaves out: the earliest. It has at most 100 events.',
    }),
    events: Type.Array(ReceiptEvent, {
      description: 'The events of the payment up to the anchor, in order, the last one included.',
    }),
    links: Type.Array(ReceiptLink, { description: 'Links of the hash chain, from the anchor down.' }),
  },
  { title: 'Receipt' },
);

const ZEROS = '0'.repeat(64);
const BLOCK = '019a8f0e-5c1b-7d2a-9f00-5e6f7a8b0000';

export const receiptRoutes = {
  'payments.receipt': route({
    method: 'GET',
    path: '/payments/{id}/receipt',
    summary: 'Get the receipt of a payment',
    description:
      'The newest events of the payment, at most 100, with the proof that they are in the hash chain of the tenant. `verify-receipt.mjs` ' +
      'of the documentation checks the file without usance, against an anchor that you kept. Shows the address and program of callers, ' +
      'as the audit log does. A server makes one receipt of a tenant at a time.',
    scope: 'ops:read',
    params: closed({ id: idOf('payment') }),
    query: closed({
      anchor: Type.Optional(
        Type.String({
          description: 'The seq of an anchor to lead to. Default: the end of the chain.',
          pattern: '^[1-9][0-9]{0,17}$',
          examples: ['41'],
          ...refusedAs('RECEIPT_ANCHOR_UNKNOWN/unknown'),
        }),
      ),
    }),
    answer: Receipt,
    example: {
      params: { id: PAYMENT },
      query: {},
      answer: {
        format: 'usance receipt 3',
        tenant: '019a8f0e-1b2c-7a3b-8c4d-5e6f7a8b9c0d',
        anchor: { seq: '1', hash: '9f'.repeat(32) },
        total: 1,
        omitted: 0,
        events: [
          {
            seq: '1',
            id: BLOCK,
            type: 'payment.created',
            version: 1,
            resource: 'payment',
            subject: '019a8f0e-5c1a-7b2c-8d3e-4f5a6b7c8d9e',
            actor: 'library',
            occurred: '1763199000000000',
            details: {
              salt: '00112233445566778899aabbccddeeff',
              data: '{}',
              ip: null,
              agent: null,
              request: null,
              trace: null,
            },
            proof: [],
          },
        ],
        links: [
          {
            number: '1',
            seq: '1',
            events: 1,
            block: BLOCK,
            recorded: '1763199000000123',
            digest: '3c'.repeat(32),
            previous: ZEROS,
            skipped: ZEROS,
          },
        ],
      },
    },
    async handle({ tenant, params, query }) {
      const { events, links, ...receipt } = await tenant.paymentReceipt(
        paymentKey(params.id),
        query.anchor === undefined ? {} : { anchor: BigInt(query.anchor) },
      );
      return {
        ...receipt,
        events: events.map((event) => ({ ...event, details: { ...event.details }, proof: [...event.proof] })),
        links: [...links],
      };
    },
  }),
};
