// What is made from the contract and the catalogue is what they say.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { errorsReference } from '../../scripts/errors-reference.ts';
import { ROUTES, errorPages, openApiDocument } from '../../src/api/index.ts';
import type { Route } from '../../src/api/index.ts';
import { API_VERSIONS, VERSION_HEADER } from '../../src/contract/api-version.ts';
import { CATALOGUE, exampleOf } from '../../src/kernel/index.ts';
import { EVENT_CATALOGUE, SCOPES } from '../../src/engine.ts';
import { createMethodsOf } from '../../src/api/methods.ts';
import { docsPage } from '../../src/api/reference/page.ts';
import { useApi } from './api.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const operations = Object.values(openApiDocument().paths).flatMap((methods) => Object.values(methods));

describe('the OpenAPI document', () => {
  const store = useApi();

  test('is served, and is OpenAPI 3.1', async () => {
    const { body, status } = await store.fetch('/openapi.json');
    expect(status).toBe(200);
    expect(body).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
    expect(await new Validator().validate(structuredClone(body) as Record<string, unknown>)).toEqual({ valid: true });
  });

  test('refers to nothing that it does not have', () => {
    const text = JSON.stringify(openApiDocument());
    const names = [...text.matchAll(/#\/components\/(\w+)\/([\w-]+)/g)];
    expect(names.length).toBeGreaterThan(50);
    for (const [, kind = '', name = ''] of names) {
      expect(Object.keys(openApiDocument().components[kind] as object)).toContain(name);
    }
  });

  test('names every operation once, with an example of what it takes and answers', () => {
    const ids = operations.map((operation) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(Object.keys(ROUTES)));
    for (const operation of operations.filter(({ tags }) => !tags.includes('service'))) {
      const answers = Object.entries(operation.responses).flatMap(([status, one]) => (status < '300' ? [one] : []));
      for (const holder of [operation.requestBody, ...answers]) {
        const content = (holder?.['content'] ?? {}) as Record<string, { example?: unknown; examples?: unknown }>;
        for (const media of Object.values(content))
          expect(media.example ?? media.examples, operation.operationId).toBeDefined();
      }
    }
  });

  test.each(['payments.create', 'holds.create', 'schedules.create'] as const)('answers the request of %s', (name) => {
    const { body, answer } = ROUTES[name].example as Record<'body' | 'answer', Record<string, unknown>>;
    const both = Object.keys(body).filter(
      (field) => field in answer && !['from', 'to', 'legs', 'retry'].includes(field),
    );
    expect(both.length).toBeGreaterThan(1);
    for (const field of both) expect(answer[field], field).toEqual(body[field]);
    const amounts = (legs: unknown): unknown => (legs as { amount: string }[] | undefined)?.map(({ amount }) => amount);
    if (body['legs']) expect(amounts(answer['legs'])).toEqual(amounts(body['legs']));
    if (body['retry']) expect(answer['retry']).toMatchObject(body['retry']);
  });

  test('lets answers grow and requests not', () => {
    const { Payment, PaymentCreateParams } = openApiDocument().components.schemas;
    expect(Payment).not.toHaveProperty('additionalProperties');
    expect(PaymentCreateParams).toMatchObject({ additionalProperties: false });
  });

  test('says of every change whether it takes an idempotency key, and which scope it asks for', () => {
    for (const [name, route] of Object.entries(ROUTES) as [string, Route][]) {
      // A preview is a body to read from, not a change.
      expect(route.idempotency === 'none', name).toBe(route.method === 'GET' || name === 'schedules.preview');
      expect(SCOPES, name).toHaveProperty([route.scope]);
    }
    const required = (Object.entries(ROUTES) as [string, Route][])
      .filter(([, route]) => route.idempotency === 'required')
      .map(([name]) => name);
    expect(required.toSorted()).toEqual(
      [
        'schedules.backfill',
        'holds.capture',
        'subscriptions.changePlan',
        'holds.create',
        'payments.create',
        'payments.createMany',
        'schedules.create',
        'subscriptions.create',
        'accounts.deposit',
        'payments.refund',
        'payments.capture',
        'quotes.accept',
        'paymentIntents.create',
        'schedules.trigger',
        'accounts.withdraw',
      ].toSorted(),
    );
  });

  test('describes /health, which shows the version of the time zone data that schedules follow', async () => {
    const answer = await store.fetch('/health');
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok', tz: process.versions['tz'] }]);
    expect(process.versions['tz']).toMatch(/^20\d\d[a-z]+$/);
    expect(JSON.stringify(openApiDocument().paths['/health'])).toContain('"tz"');
  });

  test('is a page that brings everything with it', async () => {
    const page = await store.fetch('/docs');
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    for (const id of [...operations.map((operation) => operation.operationId), ...Object.keys(CATALOGUE)]) {
      expect(page.text).toContain(`id="${id}"`);
    }
    expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(page.text).not.toMatch(/@import|url\(/);
    expect(page.text).not.toContain('[object Object]');
    const links = [...page.text.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]);
    for (const link of links) expect(page.text).toContain(`id="${link}"`);
  });
});

describe('the page of the reference', () => {
  const page = docsPage(openApiDocument());
  const findable = [
    ...page.matchAll(/<(?:article|tr) id="([^"]+)"[^>]*? data-title="([^"]+)" data-find="([^"]*)"/g),
  ].map(([, id, title, names]) => ({ id, text: `${title} ${names}`.toLowerCase() }));

  test.each([
    ['delay', 'holds.create'],
    ['legs', 'payments.create'],
    ['funds_insufficient', 'holds.create'],
    ['funds_insufficient', 'FUNDS_INSUFFICIENT'],
    ['idempotency', 'idempotency'],
    ['idempotency-key', 'payments.create'],
  ])('finds by %s: %s', (word, id) => {
    expect(findable.filter(({ text }) => text.includes(word)).map((part) => part.id)).toContain(id);
  });

  test('has every type of event under its name, and under that of its schema', () => {
    for (const type of Object.keys(EVENT_CATALOGUE)) expect(page).toContain(`<article id="${type}"`);
    expect(page).toContain('id="schema-PaymentSettledEvent"');
  });

  test.each(['authentication', 'idempotency', 'pagination', 'events', 'errors'])('has a section on %s', (id) => {
    expect(page).toContain(`id="${id}"`);
  });

  test('has examples with its own address', () => {
    expect(page).toContain("replaceAll('http://localhost:3001', location.origin)");
  });
});

describe('the catalogue of codes', () => {
  test('is the reference of codes, with a page for each', async () => {
    const expected = errorsReference();
    for (const [path, text] of expected) {
      const written = await readFile(join(ROOT, 'docs', 'reference', path), 'utf8').catch(() => 'no file');
      expect(written, `${path}: run npm run docs:errors`).toBe(text);
    }
    const pages = await readdir(join(ROOT, 'docs', 'reference', 'errors'));
    expect(pages.map((name) => `errors/${name}`).toSorted()).toEqual(
      [...expected.keys()].filter((path) => path.startsWith('errors/')).toSorted(),
    );
  });

  test('has examples of paths and versions that exist', () => {
    const { path, allowed } = exampleOf('METHOD_NOT_ALLOWED').fields ?? {};
    expect(createMethodsOf('/v1')(path as string).toSorted()).toEqual((allowed as string[]).toSorted());
    expect(exampleOf('VERSION_UNKNOWN').fields).toMatchObject({ param: VERSION_HEADER, known: API_VERSIONS });
  });

  test('can be written as JSON', () => {
    expect(JSON.parse(JSON.stringify(CATALOGUE))).toMatchObject({
      FUNDS_INSUFFICIENT: { example: { available: { amount: '5000', asset: 'USD/2' } } },
    });
  });

  test.each(errorPages())('has an example of $code without a gap', ({ code, example }) => {
    expect(example).toMatchObject({ code, type: `/docs#${code}` });
    expect(example.detail).not.toMatch(/\{\w+(:\w+)?\}|undefined/);
    // "1000.00 USD is left; 1000.00 USD was requested" explains nothing.
    const values = Object.values(example.fields ?? {}).filter((value) =>
      /"amount"|^"\d{4}-/.test(JSON.stringify(value)),
    );
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBe(values.length);
  });
});
