// The steps of workflow files, by job: what each runs or uses, and its whole text with its environment.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Step {
  readonly file: string;
  readonly job: string;
  readonly step: string;
  readonly text: string;
}

export function stepsIn(root: string, files: readonly string[]): Step[] {
  return files.flatMap((file) => {
    const [, jobs = ''] = readFileSync(join(root, file), 'utf8').split(/^jobs:\n/m);
    return jobs.split(/^ {2}(?=\w+:\n)/m).flatMap((part) => {
      const job = part.slice(0, part.indexOf(':'));
      const [, ...steps] = part.split(/^ {6}- /m);
      return steps.map((text) => ({ file, job, step: /^(?:run|uses): (.+)$/m.exec(text)?.[1] ?? '', text }));
    });
  });
}
