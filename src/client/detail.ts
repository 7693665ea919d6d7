// The sentence of a refusal with field names in camelCase. The server writes snake_case; the names in a sentence are its `param`, and
// the placeholders for fields of the catalogue's sentences (FIELD_SENTENCES). No other word is changed.
import { pathToCamel } from './case.ts';
import { FIELD_SENTENCES } from './schema.ts';

/** The text of a sentence between its placeholders, and whether each placeholder is a name of a field. */
interface Template {
  readonly pattern: RegExp;
  readonly isName: readonly boolean[];
}

const PLACEHOLDER = /\{(\w+)(?::(\w+))?\}/g;
const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

const TEMPLATES: readonly Template[] = FIELD_SENTENCES.map((sentence) => {
  const isName = [...sentence.matchAll(PLACEHOLDER)].map(
    ([, name, kind]) => name === 'param' || kind === 'field' || kind === 'fields',
  );
  const texts = sentence.split(/\{\w+(?::\w+)?\}/).map(escaped);
  return { pattern: new RegExp(`^(${texts.join(')(.+?)(')})$`, 's'), isName };
});

/** `give either amount or amount_decimal, not both` names `amountDecimal`. */
export function detailInCamel(detail: string, param: string | undefined): string {
  for (const { pattern, isName } of TEMPLATES) {
    const parts = pattern.exec(detail)?.slice(1);
    // Text and values take turns, beginning with a text.
    if (parts)
      return parts.map((part, at) => (at % 2 === 1 && isName[(at - 1) / 2] ? pathToCamel(part) : part)).join('');
  }
  if (!param?.includes('_')) return detail;
  return detail.replaceAll(new RegExp(`(?<![\\w.])${escaped(param)}(?!\\w)`, 'g'), pathToCamel(param));
}
