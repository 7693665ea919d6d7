// A schema as a table of fields. A schema of its own that is a field of another is linked, not repeated.
import type { JsonObject } from './components.ts';
import { fieldsOf, requiredOf } from './components.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';

const REFERENCE = '#/components/schemas/';

export function schemaName(schema: JsonObject): string | null {
  const reference = schema['$ref'];
  return typeof reference === 'string' && reference.startsWith(REFERENCE) ? reference.slice(REFERENCE.length) : null;
}

export function fields(schema: JsonObject): Html | '' {
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return '';
  return html`<table><tbody>${rows}</tbody></table>`;
}

function rowsOf(given: object, prefix: string): Html[] {
  const schema = ownFields(given);
  const required = requiredOf(schema);
  return Object.entries(fieldsOf(schema)).flatMap(([name, field]) => {
    const own = field as JsonObject;
    const items = own['items'];
    const inner =
      typeof items === 'object' && items !== null
        ? rowsOf(items, `${prefix}${name}[].`)
        : rowsOf(own, `${prefix}${name}.`);
    return [
      html`<tr><td><code>${prefix}${name}</code>${required.includes(name) ? html`<b>required</b>` : ''}</td>
<td>${described(own)}</td></tr>`,
      ...inner,
    ];
  });
}

/** The part that has its own fields: of a schema that extends another, and of one that can be null. */
function ownFields(schema: object): object {
  const { allOf, anyOf } = schema as { readonly allOf?: readonly object[]; readonly anyOf?: readonly JsonObject[] };
  if (allOf) return allOf.at(-1) ?? schema;
  const [one, ...others] = anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return one && others.length === 0 ? ownFields(one) : schema;
}

/** Its type, what it means, and what it may be. */
export function described(schema: JsonObject, description = schema['description']): Html {
  return html`<i>${typeOf(schema)}</i> ${words(description)}${choices(schema)}`;
}

function words(description: unknown): Html[] {
  const text = typeof description === 'string' ? description : '';
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

function choices(schema: JsonObject): Html | '' {
  const values = schema['enum'];
  if (!Array.isArray(values)) return '';
  return html` ${values.map((value, index) => html`${index === 0 ? '' : ' · '}<code>${String(value)}</code>`)}`;
}

function typeOf(schema: JsonObject): Html | string {
  const name = schemaName(schema);
  if (name !== null) return html`<a href="#schema-${name}">${name}</a>`;
  const { type, anyOf, allOf, items, format } = schema;
  if (Array.isArray(allOf)) return html`${typeOf(allOf[0] as JsonObject)} with`;
  if (Array.isArray(anyOf)) {
    return html`${anyOf.map((one, index) => html`${index === 0 ? '' : ' or '}${typeOf(one as JsonObject)}`)}`;
  }
  if (type === 'array' && typeof items === 'object' && items !== null) {
    return html`array of ${typeOf(items as JsonObject)}`;
  }
  if (format === 'date-time') return 'instant';
  return Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : '';
}
