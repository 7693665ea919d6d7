// A query string; a field without a value is left out.
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function queryOf(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
