// Paths of pages and their parameters.
/** The parameters of a path such as `/payments/:id`; null if it is another path. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    const decoded = decode(value);
    if (part.startsWith(':') && value !== '' && decoded !== null) params[part.slice(1)] = decoded;
    else if (part !== value) return null;
  }
  return params;
}

/** Null for a text that encodes nothing, such as `%zz`. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
