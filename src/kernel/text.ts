/** Whether PostgreSQL can keep a text: it has no NUL, and takes no half of a surrogate pair inside JSON. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
