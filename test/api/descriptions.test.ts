// What the OpenAPI document says of fields, and with it the reference and the types of client and library.
import { expect, test } from 'vitest';
import { openApiDocument } from '../../src/api/index.ts';
import { FIELD_DESCRIPTIONS } from '../../src/contract/index.ts';

const operations = Object.values(openApiDocument().paths).flatMap((methods) => Object.values(methods));

test('every field of a request and of a response has a description', () => {
  const bare: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, field] of Object.entries((value as { properties?: object }).properties ?? {}))
      if (!('description' in (field as object))) bare.push(`${path}.${name}`);
    for (const [name, inner] of Object.entries(value)) if (!/^examples?$/.test(name)) visit(inner, `${path}.${name}`);
  };
  visit(openApiDocument().components.schemas, '');
  for (const operation of operations.filter(({ tags }) => !tags.includes('service'))) {
    visit(operation.requestBody, operation.operationId);
    for (const { name, in: place, description } of operation.parameters)
      if (place !== 'path' && description === undefined) bare.push(`${operation.operationId} ${String(name)}`);
  }
  expect(bare).toEqual([]);
});

test.each(['name', 'kind', 'status', 'type', 'data', 'count', 'value', 'key', 'cause', 'at'])(
  '%s is described in each type by itself',
  (name) => {
    expect(FIELD_DESCRIPTIONS).not.toHaveProperty(name);
  },
);

test('a field that takes an instant says what it means', () => {
  const text = JSON.stringify(openApiDocument());
  expect(text).toContain('When the payment is due; instead of `delay`. Default: now. RFC 3339, with a zone.');
  expect(text).not.toMatch(/"description":"(RFC 3339|ISO 8601)/);
});
