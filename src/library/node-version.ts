// Checks the Node version in one line: an older Node fails later, with the name of a missing function.
import { SetupError } from '../kernel/index.ts';

const OLDEST = [22, 18] as const;

export function requireNode(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new SetupError(`usance needs Node ${OLDEST.join('.')} or newer; this is Node ${version}`);
}
