// An example of the payload of every event type: in the OpenAPI document, on the reference page, and in the types of the client.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../src/api/index.ts';
import { docsPage } from '../../src/api/reference/page.ts';
import { fromWire } from '../../src/client/inner.ts';
import { exampleOfWholeEvent } from '../../src/contract/index.ts';
import { Event } from '../../src/contract/resources/events.ts';
import type { EventType } from '../../src/engine.ts';
import { EVENT_CATALOGUE } from '../../src/engine.ts';

const TYPES = Object.keys(EVENT_CATALOGUE) as EventType[];
const { anyOf } = Event as unknown as { anyOf: readonly { readonly title: string }[] };
const CLIENT = readFileSync(join(import.meta.dirname, '../../src/client/schema.ts'), 'utf8');
const PAGE = docsPage(openApiDocument());
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

describe('the example of an event', () => {
  test.each(TYPES)('%s fits its schema, and is in the reference and in the types', (type) => {
    const example = exampleOfWholeEvent(type);
    const schema = anyOf[TYPES.indexOf(type)];
    expect(Check(schema ?? {}, example)).toBe(true);
    const title = schema?.title ?? '';
    expect(openApiDocument().components.schemas[title]).toMatchObject({ examples: [example] });
    expect(PAGE).toContain(escaped(JSON.stringify(example, null, 2)));
    const lines = JSON.stringify(fromWire(example), null, 2).split('\n');
    expect(CLIENT).toContain(
      `@example\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\nexport interface ${title} `,
    );
  });
});
