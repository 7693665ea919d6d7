// Which Node usance needs, asked before anything is loaded that an older one cannot read. So this file imports nothing and uses
// nothing newer than Node 14.

/** What to say where a Node is older than package.json asks for (`>=22.18`); null where it is not. */
export function tooOldNode(current: string, engines: string): string | null {
  const numbers = (version: string): number[] =>
    version
      .replace(/^[^0-9]*/, '')
      .split('.')
      .map(Number);
  const [major = 0, minor = 0] = numbers(current);
  const [oldestMajor = 0, oldestMinor = 0] = numbers(engines);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null;
  return `usance: Node ${current} is too old: install Node ${oldestMajor}.${oldestMinor} or newer\n`;
}
