// The file of a thread or a child process, beside the module that starts it: TypeScript in the source, JavaScript in the package.
import { extname } from 'node:path';

export const siblingFile = (name: string, moduleUrl: string): URL =>
  new URL(`./${name}${extname(moduleUrl)}`, moduleUrl);
