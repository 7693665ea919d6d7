// docs/reference/errors.md and a page for each code in docs/reference/errors, from the catalogue.
import { errorPages } from '../src/api/index.ts';
import { MOST_ERRORS } from '../src/kernel/index.ts';
import type { ErrorPage } from '../src/api/index.ts';

const GROUPS: readonly (readonly [number, string])[] = [
  [400, 'The request is malformed: correct it and send it again'],
  [401, 'Authentication is missing or invalid'],
  [403, 'The caller lacks permission'],
  [404, 'The resource does not exist'],
  [405, 'The method is not supported'],
  [408, 'The request arrived too slowly'],
  [409, 'The state of the resource does not allow it'],
  [412, 'The resource has changed since it was read'],
  [413, 'The body is too large'],
  [415, 'The body is not JSON'],
  [422, 'The request is well-formed and was refused'],
  [429, 'Too many requests'],
  [431, 'The headers are too large'],
  [500, 'The server failed'],
  [503, 'The service is temporarily unavailable'],
];

/** The files of the reference, by their paths below docs/reference. */
export function errorsReference(): ReadonlyMap<string, string> {
  const pages = errorPages();
  return new Map([
    ['errors.md', index(pages)],
    ...pages.map((page) => [`errors/${page.code}.md`, pageOf(page)] as const),
  ]);
}

function index(pages: readonly ErrorPage[]): string {
  const known = new Set(GROUPS.map(([status]) => status));
  const stray = pages.find(({ status }) => !known.has(status));
  if (stray) throw new Error(`give status ${stray.status} of ${stray.code} a heading in scripts/errors-reference.ts`);
  const sections = GROUPS.flatMap(([status, heading]) => {
    const rows = pages.filter((page) => page.status === status).toSorted((a, b) => (a.code < b.code ? -1 : 1));
    return [`## ${status}: ${heading}`, `| code | meaning | retryable |\n|---|---|---|\n${rows.map(row).join('\n')}`];
  });
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
}

const row = ({ code, title, retryable }: ErrorPage): string =>
  `| [\`${code}\`](errors/${code}.md) | ${title} | ${retryable ? 'yes' : 'no'} |`;

function pageOf(page: ErrorPage): string {
  const { code, title, status, retryable, cause, remedy, sentences, example } = page;
  const retry = retryable ? 'retryable: the same request may succeed later' : 'not retryable';
  return `${[
    `# ${code}`,
    `${title}. HTTP status ${status}, ${retry}.`,
    `## Cause\n\n${cause}`,
    `## Remedy\n\n${remedy}`,
    sentences.some(({ reason }) => reason !== null)
      ? `## Reasons\n\n| \`reason\` | \`detail\` |\n|---|---|\n${sentences.map(reasonRow).join('\n')}`
      : `## Detail\n\n${sentences.map(({ sentence }) => sentence).join('')}`,
    `## Example\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
    '[All error codes](../errors.md)',
  ].join('\n\n')}\n`;
}

const reasonRow = ({ reason, sentence }: ErrorPage['sentences'][number]): string =>
  `| \`${reason}\` | ${sentence.replaceAll('|', '\\|')} |`;

const INTRODUCTION = `# Error codes

Every refusal has a code from this list, over HTTP as in the library (\`Refusal.code\`) and the client (\`UsanceProblem.code\`). Over
HTTP it is \`application/problem+json\` (RFC 9457):

| field | meaning |
|---|---|
| \`type\` | the section of \`/docs\` that explains the code |
| \`code\`, \`title\`, \`status\` | the code, its meaning, the HTTP status |
| \`reason\` | which cause, for a code that has several; stable, for programs |
| \`detail\` | what happened, to what, and what to do; for people |
| \`fields\` | the values that \`detail\` speaks of: ids, amounts with their asset, limits |
| \`param\` | the field of the request to correct |
| \`errors\` | every problem, if the request has several: \`param\`, \`code\` and \`detail\` of each, the first ${MOST_ERRORS} |
| \`request_id\` | the id of the request in the log and in \`X-Request-Id\` |
| \`retryable\` | whether the same request may succeed later without being changed |

The library and the client have the same values in camelCase. It is always safe to send a request again with the same
\`Idempotency-Key\`: only committed effects are remembered, and a refusal is evaluated again.

Problems are collected in two steps. First the form: the \`Idempotency-Key\` and every field of path, query and body against its schema. Then, if the
form is right, the values of \`payments.create\`, \`holds.create\`, \`schedules.create\` and \`schedules.preview\`: fields that do not depend on each other (\`rule\`,
\`zone\`, \`start\`, \`until\`, \`retry\`, accounts, \`asset\`, the amount of each leg) are checked together. Checks that need several right
fields follow and stop at the first problem: the sum of the legs, whether a rule ever runs, limits, funds. So do all other operations. A bulk
request lists the first problem of each payment.

\`npm run docs:errors\` writes these pages; a test compares them with the catalogue.`;
