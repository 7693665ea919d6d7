/** Whether PostgreSQL can keep a text: it has no NUL, and takes no half of a surrogate pair inside JSON. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** A name that needs no quotes, and is none of the server's own. */
export function isSchemaName(text: string): boolean {
  return /^[a-z_][a-z0-9_]{0,62}$/.test(text) && !text.startsWith('pg_');
}
