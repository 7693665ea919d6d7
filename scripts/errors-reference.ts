// docs/reference/errors.md, from the catalogue.
import { CATALOGUE } from '../src/kernel/index.ts';

const GROUPS: readonly (readonly [number, string])[] = [
  [400, 'The request is not understood: fix it and send it again'],
  [401, 'Nobody, or nobody known'],
  [403, 'Somebody known, who may not'],
  [404, 'Not there'],
  [405, 'Not this method'],
  [408, 'Too slow'],
  [409, 'Not in this state'],
  [413, 'Too large'],
  [415, 'Not JSON'],
  [422, 'Understood and refused'],
  [429, 'Too often'],
  [431, 'Headers too large'],
  [500, 'Our fault'],
  [503, 'Not at the moment'],
];

export function errorsReference(): string {
  const entries = Object.entries(CATALOGUE);
  const known = new Set(GROUPS.map(([status]) => status));
  const stray = entries.find(([, entry]) => !known.has(entry.status));
  if (stray) throw new Error(`give status ${stray[1].status} of ${stray[0]} a heading in scripts/errors-reference.ts`);
  const sections = GROUPS.flatMap(([status, heading]) => {
    const rows = entries.filter(([, entry]) => entry.status === status).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return [
      `## ${status}: ${heading}`,
      '| code | what it says | retryable |\n|---|---|---|\n' +
        rows.map(([code, entry]) => `| \`${code}\` | ${entry.title} | ${entry.retryable ? 'yes' : 'no'} |`).join('\n'),
    ];
  });
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
}

const INTRODUCTION = `# Error codes

Every refusal has a code from this list, over HTTP as in the library (\`Refusal.code\`). Over HTTP it comes as
\`application/problem+json\` (RFC 9457):

\`\`\`json
{
  "type": "/docs#FUNDS_INSUFFICIENT",
  "title": "The account has insufficient funds",
  "status": 422,
  "code": "FUNDS_INSUFFICIENT",
  "detail": "what happened, to what, and what to do",
  "param": "the field of the request that caused the refusal",
  "request_id": "req_01k9zt3q8sxa4e6r1t9v2w5y7z",
  "retryable": true
}
\`\`\`

*Retryable* says whether the same request may succeed later without being changed. With the same \`Idempotency-Key\` it is
always safe to send the request again: only committed effects are remembered, and a refusal is evaluated again.

This page is written by \`node scripts/write-errors.ts\`; a test keeps it equal to the catalogue.`;
