// The reference as a page: rendered here, once, from the OpenAPI document. Nothing on it comes from anywhere else, and the
// policy below makes the browser hold us to that. Its script searches, copies and tries operations; without it all can be read.
import { createHash } from 'node:crypto';
import { DRY_RUN_MEDIA_TYPE } from '../../contract/index.ts';
import type { JsonObject } from './components.ts';
import type { OpenApiDocument, Operation } from './openapi.ts';
import { curlOf } from './curl.ts';
import type { ErrorPage } from './error-codes.ts';
import { errorPages } from './error-codes.ts';
import { HEADERS } from './headers.ts';
import { html, raw } from './html.ts';
import type { Html } from './html.ts';
import { samplesOf } from './samples.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';
import type { Basic } from './basics.ts';
import { BASICS } from './basics.ts';
import { fieldsOf } from './components.ts';
import { described, fields, schemaName } from './schema-table.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export const DOCS_POLICY = [
  `default-src 'none'`,
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

interface Placed {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

export function docsPage(document: OpenApiDocument): string {
  const all: Placed[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const refusing = operationsByCode(all, document);
  const common = new Set([...refusing].flatMap(([code, some]) => (some === 'all' ? [code] : [])));
  const groups = document.tags.map((tag) => ({ ...tag, all: all.filter((one) => one.operation.tags[0] === tag.name) }));
  const schemas = Object.entries(document.components.schemas);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title} API reference</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<nav aria-label="Reference">
<a class="app" href="/">Dashboard</a><a class="home" href="#top">${document.info.title}</a>
<label>Search operations, events, fields and codes<input id="filter" type="search" placeholder="press /"></label>
<p id="found" role="status"></p>
<ol id="results" aria-label="Matches" hidden></ol>
<section><h2>basics</h2><ul>${BASICS.map((one) => html`<li><a href="#${one.id}">${one.title}</a></li>`)}</ul></section>
${groups.map(
  (group) =>
    html`<section><h2>${group.name}</h2><ul>${group.all.map(
      (one) => html`<li><a href="#${one.operation.operationId}">${badge(one.method)}
<span>${one.operation.summary}</span></a></li>`,
    )}</ul></section>`,
)}
<section><h2>reference</h2><ul><li><a href="#headers">Headers</a></li><li><a href="#event-types">Event types</a></li>
<li><a href="#schemas">Schemas</a></li><li><a href="#errors">Error codes</a></li>
<li><a href="/openapi.json">openapi.json</a></li></ul></section>
</nav>
<main id="top">
<header><h1>${document.info.title} API</h1><p class="lead">${text(document.info['summary'])}</p>
<p>${prose(text(document.info['description']))}</p>
</header>
<section class="group"><h2 id="basics">Basics</h2>${BASICS.map(basic)}</section>
${groups.map(
  (group) => html`<section class="group"><h2 id="tag-${group.name}">${group.name}</h2><p>${group.description}</p>
${group.all.map((one) => article(one, document, common))}</section>`,
)}
<section class="group"><h2 id="headers">Headers</h2><p>Headers of responses, in addition to the standard ones.</p>
<table><tbody>${Object.entries(HEADERS).map(
    ([name, header]) =>
      html`<tr id="header-${name}" data-title="${name}" data-find=""><td><code>${name}</code></td>
<td>${prose(header.description)} <code>${header.example}</code></td></tr>`,
  )}</tbody></table></section>
<section class="group"><h2 id="event-types">Event types</h2>
<p>What the stream, the list of events and webhooks deliver, each with an example. The address of an event ends with its type: <code>/docs#payment.settled</code>.</p>
${schemas.map(([name, schema]) => eventType(name, schema))}</section>
<section class="group"><h2 id="schemas">Schemas</h2>${schemas.map(([name, schema]) =>
    eventTypeOf(schema) === null
      ? html`<article id="schema-${name}" class="schema" data-title="${name}" data-find="${schemaText(schema)}"><div class="said"><h3>${name}${here(`schema-${name}`, name)}</h3>${description(schema)}${fields(schema)}</div></article>`
      : '',
  )}</section>
<section class="group"><h2 id="errors">Error codes</h2>
<p>A refusal is <code>application/problem+json</code> with one of these as its <code>code</code>. If it is retryable, the
same request with the same key can succeed later.</p>
${errorPages().map((page) => errorCode(page, refusing))}</section>
</main>
<script>${raw(SCRIPT)}</script>
</body>
</html>
`.text;
}

/** What the search compares first: the titles of a part, of which one can be the whole query. The script reads its sentences from the page. */
const titles = (...all: readonly string[]): string => all.join('|');

/** The type of event that a schema is of. */
function eventTypeOf({ examples }: JsonObject): string | null {
  const [example] = Array.isArray(examples) ? (examples as readonly { readonly type?: unknown }[]) : [];
  return typeof example?.type === 'string' ? example.type : null;
}

/** Found under its type, and under the name of its schema, which other schemas link to. */
function eventType(name: string, schema: JsonObject): Html | '' {
  const type = eventTypeOf(schema);
  if (type === null) return '';
  return html`<article id="${type}" data-title="${titles(type, name)}" data-find="${schemaText(schema)}"><div class="said"><h3>${type}${here(type, type)}</h3>
<p class="route" id="schema-${name}"><code>${name}</code></p>${description(schema)}${fields(schema)}</div>${exampleOf(schema)}</article>`;
}

const errorCode = (page: ErrorPage, refusing: Refusing): Html =>
  html`<article id="${page.code}" data-title="${titles(page.code, page.title)}" data-find="">
<div class="said"><h3>${page.code}${here(page.code, page.code)}</h3><p>${page.title}. HTTP status ${page.status}, ${page.retryable ? '' : 'not '}retryable.</p>
<h4>Cause</h4><p>${prose(page.cause)}</p><h4>Remedy</h4><p>${prose(page.remedy)}</p><h4>Detail</h4>
<table><tbody>${page.sentences.map(
    ({ reason, sentence }) =>
      html`<tr>${reason === null ? '' : html`<td><code>${reason}</code></td>`}<td>${sentence}</td></tr>`,
  )}</tbody></table>${refusedBy(page.code, refusing)}</div>
<div class="shown">${shownAnswer(JSON.stringify(page.example, null, 2))}</div></article>`;

/** The operations that refuse with a code; `all` of those under /v1, or some. */
type Refusing = ReadonlyMap<string, 'all' | readonly Operation[]>;

function operationsByCode(all: readonly Placed[], document: OpenApiDocument): Refusing {
  const operations = all.filter(({ path }) => path.startsWith('/v1/')).map(({ operation }) => operation);
  const pairs = operations.flatMap((operation) => codesOfAll(operation, document).map((code) => ({ code, operation })));
  return new Map(
    [...Map.groupBy(pairs, ({ code }) => code)].map(([code, some]) => [
      code,
      some.length === operations.length ? 'all' : some.map(({ operation }) => operation),
    ]),
  );
}

function refusedBy(code: string, refusing: Refusing): Html | '' {
  const some = refusing.get(code);
  if (some === undefined) return '';
  const said =
    some === 'all'
      ? 'every operation under /v1'
      : some.length > MOST_LINKED
        ? `${some.length} operations`
        : some.map(
            ({ operationId }, index) => html`${index === 0 ? '' : ' · '}<a href="#${operationId}">${operationId}</a>`,
          );
  return html`<h4>Answered by</h4><p class="codes">${said}</p>`;
}

const MOST_LINKED = 16;

/** A link to the part of the page, to copy. */
const here = (id: string, what: string): Html => html`<a class="here" href="#${id}" aria-label="Link to ${what}">#</a>`;

const COPY = html`<button type="button" class="only-script" data-copy>Copy</button>`;
const LANGUAGES = ['curl', 'client', 'library'].map(
  (language) =>
    html`<button type="button" class="only-script" data-language="${language}" aria-pressed="false">${language}</button>`,
);

const shownAnswer = (answer: string, title = 'Answer'): Html =>
  html`<figure><figcaption><span>${title}</span>${COPY}</figcaption><pre tabindex="0" aria-label="${title}">${answer}</pre></figure>`;

/** The request in each language: the script shows one of them. */
function requestOf({ path, method, operation }: Placed): Html {
  const { operationId } = operation;
  const others = samplesOf(operation);
  const tries =
    operationId === 'events.follow'
      ? ''
      : html`<button type="button" class="only-script" data-try="${operationId}">Try it</button>`;
  const curl = curlOf(path, method, operation);
  const figure = ({ language, text }: { readonly language: string; readonly text: string }): Html =>
    html`<figure data-sample="${language}"><figcaption><span>Request</span>${LANGUAGES}${tries}${COPY}</figcaption>
<pre tabindex="0" aria-label="Request, ${language}">${text}</pre></figure>`;
  if (others.length > 0) return html`${[{ language: 'curl', text: curl }, ...others].map(figure)}`;
  return html`<figure><figcaption><span>Request</span>${tries}${COPY}</figcaption><pre tabindex="0" aria-label="Request">${curl}</pre></figure>`;
}

const basic = (one: Basic): Html =>
  html`<article id="${one.id}" class="basic" data-title="${one.title}" data-find=""><div class="said"><h3>${one.title}${here(one.id, one.title)}</h3>${one.says.map(
    (words) => html`<p>${prose(words)}</p>`,
  )}</div></article>`;

function article(placed: Placed, document: OpenApiDocument, common: ReadonlySet<string>): Html {
  const { path, method, operation } = placed;
  const body = contentOf(operation.requestBody);
  const [status = '', answer] = Object.entries(operation.responses).find(([, one]) => !isOnlyDryRun(one)) ?? [];
  const shown = contentOf(answer);
  return html`<article id="${operation.operationId}" data-title="${titles(operation.summary, operation.operationId, `${method} ${path}`)}" data-find="${findText(placed, document)}">
<div class="said"><h3>${operation.summary}${here(operation.operationId, operation.operationId)}</h3><p class="route">${badge(method)}<code>${path}</code></p>${description(operation)}
${parameterTable(operation)}
${body ? html`<h4>Body${name(body.schema)}</h4>${fields(resolved(body.schema, document))}` : ''}
${shown ? html`<h4>Answer <span class="status">${status}</span>${name(shown.schema)}</h4>` : ''}
${refusals(operation, document, common)}</div>
<div class="shown">${requestOf(placed)}
${
  shown?.example === undefined
    ? ''
    : shownAnswer(typeof shown.example === 'string' ? shown.example : JSON.stringify(shown.example, null, 2))
}</div>
</article>`;
}

/** Codes that not every operation has, each with a link to its cause and remedy. */
function refusals(operation: Operation, document: OpenApiDocument, common: ReadonlySet<string>): Html | '' {
  const own = codesOfAll(operation, document).filter((code) => !common.has(code));
  if (own.length === 0) return '';
  return html`<h4>Refusals, beside the <a href="#errors">common ones</a></h4><p class="codes">${own.map(
    (code, index) => html`${index === 0 ? '' : ' · '}<a href="#${code}">${code}</a>`,
  )}</p>`;
}

function parameterTable({ parameters }: Operation): Html | '' {
  if (parameters.length === 0) return '';
  return html`<h4>Parameters</h4><table><tbody>${parameters.map(
    (
      parameter,
    ) => html`<tr><td><code>${text(parameter['name'])}</code>${parameter['required'] ? html`<b>required</b>` : ''}</td>
<td>${described(parameter['schema'] as JsonObject, parameter['description'])} <i>(${text(parameter['in'])})</i></td></tr>`,
  )}</tbody></table>`;
}

const badge = (method: string): Html => html`<span class="method ${method}">${method.toUpperCase()}</span>`;

/** What the search finds an operation by, after its titles: the names of its fields in and out, and the codes of its refusals. */
function findText({ operation }: Placed, document: OpenApiDocument): string {
  const body = contentOf(operation.requestBody);
  const names = operation.parameters.map((parameter) => text(parameter['name']));
  const bodyFields = body ? Object.keys(fieldsOf(resolved(body.schema, document))) : [];
  const [answer] = Object.entries(operation.responses).flatMap(([, one]) =>
    isOnlyDryRun(one) ? [] : [contentOf(one)],
  );
  const answerFields = answer ? Object.keys(fieldsOf(resolved(answer.schema, document))) : [];
  const codes = codesOfAll(operation, document);
  return [...new Set([...names, ...bodyFields, ...answerFields, ...codes])].join(' ').toLowerCase();
}

const schemaText = (schema: JsonObject): string => Object.keys(fieldsOf(schema)).join(' ').toLowerCase();

const codesOfAll = (operation: Operation, document: OpenApiDocument): string[] =>
  Object.values(operation.responses).flatMap((response) => codesOf(response, document));

function codesOf(response: JsonObject | undefined, { components }: OpenApiDocument): string[] {
  const name = text(response?.['$ref']).split('/').at(-1) ?? '';
  const shared = (components['responses'] as Readonly<Record<string, JsonObject>>)[name];
  const codes = (shared ?? response)?.['x-codes'];
  return Array.isArray(codes) ? codes.map(String) : [];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function name(schema: JsonObject): Html | '' {
  const title = schemaName(schema);
  return title === null ? '' : html` <a class="name" href="#schema-${title}">${title}</a>`;
}

function resolved(schema: JsonObject, document: OpenApiDocument): JsonObject {
  return document.components.schemas[schemaName(schema) ?? ''] ?? schema;
}

function description(thing: object): Html | '' {
  const says = 'description' in thing ? text(thing.description) : '';
  return says === '' ? '' : html`<p>${prose(says)}</p>`;
}

/** Of an event: what a webhook delivers. */
function exampleOf({ examples }: JsonObject): Html | '' {
  if (!Array.isArray(examples)) return '';
  return html`<div class="shown">${shownAnswer(JSON.stringify(examples[0], null, 2), 'Example')}</div>`;
}

/** Plain words with `code` in them. */
function prose(words: string): Html[] {
  return words.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

/** The 200 of an operation whose answer has another status. */
function isOnlyDryRun(response: JsonObject): boolean {
  const types = Object.keys(Object(response['content']));
  return types.length === 1 && types[0] === DRY_RUN_MEDIA_TYPE;
}

function contentOf(holder: JsonObject | undefined): { schema: JsonObject; example?: unknown } | null {
  const content = holder?.['content'];
  if (typeof content !== 'object' || content === null) return null;
  const [media] = Object.values(content) as { schema: JsonObject; example?: unknown }[];
  return media ?? null;
}
