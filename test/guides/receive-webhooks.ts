// What runs beside the guide to webhooks: its receiver, on a port of its own, and `usance listen`, whose secret the receiver gets.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startUsance } from '../cli/cli.ts';

export const WEBHOOK_GUIDE = 'receive-webhooks.md';
const LISTEN = /^receiver\.listen\(3000.*$/m;
const COMMAND = /^npx usance (listen .*)$/m;

export interface Beside {
  /** The page with the port of the receiver. */
  readonly withPort: (text: string) => string;
  /** Stops `usance listen`, and returns what it printed. */
  stopListening(): Promise<string>;
  stop(): void;
}

/** `url`: of the API, whose key is in `.usance/api-key` of the folder. `receiver`: the file of the page. `page`: with the command. */
export async function startBeside(
  folder: string,
  url: string,
  { receiver, page }: { readonly receiver: string; readonly page: string },
): Promise<Beside> {
  writeFileSync(
    join(folder, 'receiver.ts'),
    receiver.replace(LISTEN, `receiver.listen(0, () => console.log(receiver.address()));`),
  );
  const program = spawn(process.execPath, ['receiver.ts'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve, reject) => {
    program.stdout.once('data', (text: Buffer) => resolve(/port: (\d+)/.exec(text.toString())?.[1] ?? ''));
    program.once('exit', (code) => reject(new Error(`the receiver ended with ${code}`)));
  });
  const withPort = (text: string): string => text.replaceAll(/\b3000\b/g, port);
  const [, command = ''] = COMMAND.exec(withPort(page)) ?? [];
  const listening = await startUsance(folder, command.split(' '), 'Forwarding', { PORT: new URL(url).port });
  const [, secret = ''] = /^Secret: (\S+)$/m.exec(listening.screen) ?? [];
  writeFileSync(join(folder, 'secret.txt'), `${secret}\n`);
  return {
    withPort,
    async stopListening() {
      listening.child.kill('SIGINT');
      return (await listening.ended).out;
    },
    stop() {
      listening.child.kill('SIGKILL');
      program.kill('SIGKILL');
    },
  };
}
