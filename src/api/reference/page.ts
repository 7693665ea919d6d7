// The reference as a page: rendered here, once, from the OpenAPI document. Nothing on it comes from anywhere else, and the
// policy below makes the browser hold us to that. The little script only filters and copies; without it all can be read.
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
  const groups = document.tags.map((tag) => ({ ...tag, all: all.filter((one) => one.operation.tags[0] === tag.name) }));
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
<a class="home" href="#top">${document.info.title}</a>
<input id="filter" type="search" placeholder="Filter" aria-label="Filter operations and error codes">
<p id="none" role="status" hidden>Nothing matches.</p>
<ul>${errorPages().map(
    (page) =>
      html`<li data-find="${errorText(page)}" data-unlisted hidden><a href="#${page.code}">${page.code}</a></li>`,
  )}</ul>
<section><h2>basics</h2><ul>${BASICS.map(
    (one) => html`<li data-find="${basicText(one)}"><a href="#${one.id}">${one.title}</a></li>`,
  )}</ul></section>
${groups.map(
  (group) =>
    html`<section><h2>${group.name}</h2><ul>${group.all.map(
      (
        one,
      ) => html`<li data-find="${findText(one, document)}"><a href="#${one.operation.operationId}">${badge(one.method)}
<span>${one.operation.summary}</span></a></li>`,
    )}</ul></section>`,
)}
<section><h2>reference</h2><ul><li><a href="#headers">Headers</a></li><li><a href="#schemas">Schemas</a></li><li><a href="#errors">Error codes</a></li>
<li><a href="/openapi.json">openapi.json</a></li></ul></section>
</nav>
<main id="top">
<header><h1>${document.info.title} API</h1><p class="lead">${text(document.info['summary'])}</p>
<p>${prose(text(document.info['description']))}</p>
</header>
<section class="group"><h2 id="basics">Basics</h2>${BASICS.map(basic)}</section>
${groups.map(
  (group) => html`<section class="group"><h2 id="tag-${group.name}">${group.name}</h2><p>${group.description}</p>
${group.all.map((one) => article(one, document))}</section>`,
)}
<section class="group"><h2 id="headers">Headers</h2><p>Headers of responses, in addition to the standard ones.</p>
<table><tbody>${Object.entries(HEADERS).map(
    ([name, header]) =>
      html`<tr><td><code>${name}</code></td><td>${prose(header.description)} <code>${header.example}</code></td></tr>`,
  )}</tbody></table></section>
<section class="group"><h2 id="schemas">Schemas</h2>${Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      html`<article id="schema-${name}"><div class="said"><h3>${name}</h3>${description(schema)}${fields(schema)}</div>
${exampleOf(schema)}</article>`,
  )}</section>
<section class="group"><h2 id="errors">Error codes</h2>
<p>A refusal is <code>application/problem+json</code> with one of these as its <code>code</code>. If it is retryable, the
same request with the same key can succeed later.</p>
${errorPages().map(errorCode)}</section>
</main>
<script>${raw(SCRIPT)}</script>
</body>
</html>
`.text;
}

const errorText = ({ code, title }: ErrorPage): string => `${code} ${title}`.toLowerCase();

const errorCode = (page: ErrorPage): Html =>
  html`<article id="${page.code}" data-find="${errorText(page)}">
<div class="said"><h3>${page.code}</h3><p>${page.title}. HTTP status ${page.status}, ${page.retryable ? '' : 'not '}retryable.</p>
<h4>Cause</h4><p>${prose(page.cause)}</p><h4>Remedy</h4><p>${prose(page.remedy)}</p><h4>Detail</h4>
<table><tbody>${page.sentences.map(
    ({ reason, sentence }) =>
      html`<tr>${reason === null ? '' : html`<td><code>${reason}</code></td>`}<td>${sentence}</td></tr>`,
  )}</tbody></table></div>
<div class="shown"><figure><figcaption>Answer</figcaption><pre>${JSON.stringify(page.example, null, 2)}</pre></figure></div></article>`;

const basicText = ({ title, says }: Basic): string => `${title} ${says.join(' ')}`.toLowerCase();

const basic = (one: Basic): Html =>
  html`<article id="${one.id}" class="basic" data-find="${basicText(one)}"><div><h3>${one.title}</h3>${one.says.map(
    (words) => html`<p>${prose(words)}</p>`,
  )}</div></article>`;

function article({ path, method, operation }: Placed, document: OpenApiDocument): Html {
  const body = contentOf(operation.requestBody);
  const [status = '', answer] = Object.entries(operation.responses).find(([, one]) => !isOnlyDryRun(one)) ?? [];
  const shown = contentOf(answer);
  return html`<article id="${operation.operationId}" data-find="${findText({ path, method, operation }, document)}">
<div class="said"><h3>${operation.summary}</h3><p class="route">${badge(method)}<code>${path}</code></p>${description(operation)}
${parameterTable(operation)}
${body ? html`<h4>Body${name(body.schema)}</h4>${fields(resolved(body.schema, document))}` : ''}
${shown ? html`<h4>Answer <span class="status">${status}</span>${name(shown.schema)}</h4>` : ''}</div>
<div class="shown"><figure><figcaption>Request<button type="button">Copy</button></figcaption>
<pre>${curlOf(path, method, operation)}</pre></figure>
${
  shown?.example === undefined
    ? ''
    : html`<figure><figcaption>Answer</figcaption>
<pre>${typeof shown.example === 'string' ? shown.example : JSON.stringify(shown.example, null, 2)}</pre></figure>`
}</div>
</article>`;
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

/** What the filter finds an operation by: its path and words, the names of its fields, and the codes of its refusals. */
function findText({ path, method, operation }: Placed, document: OpenApiDocument): string {
  const body = contentOf(operation.requestBody);
  const names = operation.parameters.map((parameter) => text(parameter['name']));
  const bodyFields = body ? Object.keys(fieldsOf(resolved(body.schema, document))) : [];
  const codes = Object.keys(operation.responses).flatMap((status) => codesOf(operation.responses[status], document));
  const words = [method, path, operation.summary, operation.operationId, ...names, ...bodyFields, ...codes];
  return words.join(' ').toLowerCase();
}

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
  return html`<div class="shown"><figure><figcaption>Example</figcaption>
<pre>${JSON.stringify(examples[0], null, 2)}</pre></figure></div>`;
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
