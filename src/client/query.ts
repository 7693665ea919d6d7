// A query string without the fields that have no value. A list is one text with commas, an object is `metadata[order]=A-1001`.
type Scalar = string | number | boolean;
type Field = Scalar | readonly Scalar[] | Readonly<Record<string, Scalar>>;
export type Query = Readonly<Record<string, Field | undefined>>;

export function queryOf(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : pairsOf(name, value)));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

function pairsOf(name: string, value: Field): [string, string][] {
  if (typeof value !== 'object' || isList(value)) return [[name, String(value)]];
  return Object.entries(value).map(([field, text]) => [`${name}[${field}]`, String(text)]);
}

const isList = (value: Field): value is readonly Scalar[] => Array.isArray(value);
