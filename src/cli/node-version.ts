// Checks the Node version before anything is loaded that an older Node cannot parse. So this file imports nothing and uses nothing
// newer than Node 14.

/** The message if Node is older than package.json requires (`>=22.18`); null otherwise. */
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
