// Commands as the pages print them, in a clone: `npx usance` and `npm run usance`.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bannerNotice, refuseKeptFlags } from '../../src/cli/npm.ts';
import { createProgram } from '../../src/cli/program.ts';
import { useFolder } from './cli.ts';

const ROOT = join(import.meta.dirname, '../..');
const folder = useFolder();
const { PATH, HOME, USER } = process.env;

function inFolder(command: string): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile('sh', ['-c', command], { cwd: folder, env: { PATH, HOME, USER } }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

/** A clone after `npm ci`, as far as npm looks at it. */
function makeClone(): void {
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(process.execPath, join(folder, 'node_modules/.bin/node'));
  for (const name of ['src', 'scripts']) symlinkSync(join(ROOT, name), join(folder, name));
}

describe('in a clone', () => {
  makeClone();
  const { scripts, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
    version: string;
  };

  test('npx usance runs the source once npm ci has prepared it', async () => {
    expect(await inFolder(scripts['prepare'] ?? 'false')).toMatchObject({ code: 0 });
    expect(await inFolder('npx usance --version')).toMatchObject({ code: 0, out: `${version}\n` });
  });

  test('npm run usance says that npm kept a flag, and how to write it', async () => {
    const { code, err } = await inFolder('npm run usance payments --json');
    expect(code).toBe(2);
    expect(err).toMatch(/npm kept --json for itself: write `npx usance …`, or .*`npm run usance -- …`/);
  });

  test('npm run usance -- passes flags on, and --silent prints nothing else', async () => {
    const { code, out, err } = await inFolder(
      'npm run --silent usance -- doctor --json > doctor.json; cat doctor.json',
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toBeTypeOf('object');
    expect((await inFolder('npm run usance -- doctor --json > banner.json')).err).toContain(
      'npm run --silent usance --',
    );
  });

  test('npm run dev is usance dev', () => {
    expect(scripts['dev']).toMatch(/src\/cli\/main\.ts dev$/);
  });
});

describe('the environment that npm sets', () => {
  const program = createProgram('0.0.0');
  const refused = (environment: Record<string, string>, ...args: string[]): string => {
    try {
      refuseKeptFlags(program, environment, args);
      return 'fine';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };

  test.each([
    [{ npm_config_dry_run: 'true', npm_lifecycle_event: 'usance' }, ['payments', 'run-now'], /--dry-run/],
    [{ npm_config_json: 'true', npm_lifecycle_event: 'usance' }, ['payments', '--json'], /fine/],
    [{ npm_config_scope: '@mine', npm_lifecycle_event: 'usance' }, ['payments'], /fine/],
    [{ npm_config_json: 'true', npm_lifecycle_event: 'start' }, ['payments'], /fine/],
    [{ npm_config_json: 'true' }, ['payments'], /fine/],
  ] as const)('%j with %j', (environment, args, says) => {
    expect(refused(environment, ...args)).toMatch(says);
  });

  test.each([
    [{ npm_lifecycle_event: 'usance' }, true, false, true],
    [{ npm_lifecycle_event: 'usance', npm_config_loglevel: 'silent' }, true, false, false],
    [{ npm_lifecycle_event: 'usance' }, true, true, false],
    [{ npm_lifecycle_event: 'usance' }, false, false, false],
    [{}, true, false, false],
  ])('a banner of npm is told: %j, json %s, terminal %s: %s', (environment, json, isTerminal, isTold) => {
    expect(bannerNotice(environment, { json, isTerminal }) !== null).toBe(isTold);
  });
});
