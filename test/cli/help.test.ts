import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { usance, usanceHere, useFolder } from './cli.ts';

const folder = useFolder();

describe('help', () => {
  const named = (command: Command, before: readonly string[] = []): [string, Command][] =>
    command.commands.flatMap((inner) => {
      const name = [...before, inner.name()];
      return [[name.join(' '), inner] as [string, Command], ...named(inner, name)];
    });

  test.each(named(createProgram('0.0.0')))('of %s has an example', (name, command) => {
    let out = '';
    command.configureOutput({ writeOut: (text) => (out += text) }).outputHelp();
    expect(out).toMatch(new RegExp(`Examples?:\\n.*usance ${name}`, 's'));
  });

  test('of a command is printed by --help', async () => {
    const { code, out } = await usanceHere(folder, ['payments', 'run-now', '--help']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: usance payments run-now [^]*Example:\n {2}usance payments run-now/);
  });

  test('is what the name alone prints', async () => {
    const { code, out, err } = await usanceHere(folder, []);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const commands = [
      'dev',
      'processor',
      'worker',
      'payments',
      'dead-letters',
      'api-keys',
      'verify',
      'audit-events',
      'doctor',
      'migrate',
      'accounts',
      'subscriptions',
      'freezes',
      'execution-cap',
    ];
    for (const name of [...commands, 'Exit codes']) expect(out).toContain(name);
  });

  test.each(['api-keys', 'audit-events'])('is what %s without a verb prints', async (name) => {
    const { code, out, err } = await usanceHere(folder, [name]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(new RegExp(`^Usage: usance ${name} `));
    expect(out).toMatch(/^ {2}list /m);
  });

  test('has no colours where no terminal is', async () => {
    expect((await usanceHere(folder, ['doctor'], { PORT: '0' })).out).not.toContain('\u001B');
  });
});

test('the version is the package’s', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string;
  };
  expect((await usance(folder, ['--version'])).out).toBe(`${version}\n`);
});

describe('wrong usage ends with 2', () => {
  test.each([
    [['nonsense'], /unknown command 'nonsense'/],
    [['verfy'], /Did you mean verify\?/],
    [['api-keys', 'lst'], /unknown command 'lst'/],
    [['verify', '--nope'], /unknown option '--nope'/],
    [['accounts', 'import-balances', '--tenant', 'a', '--name', 'b'], /missing required argument 'file'/],
    [['accounts', 'import-balances', 'a.csv', '--tenant', 'shop'], /required option '--name <import>'/],
    [
      ['accounts', 'import-balances', 'a.csv', '--tenant', 'a', '--name', 'b', '--expect', 'USD'],
      /such as USD\/2=125000/,
    ],
    [['accounts', 'import-balances', 'missing.csv', '--tenant', 'a', '--name', 'b'], /cannot read missing\.csv/],
    [['accounts', 'import-balances', 'a.txt', '--tenant', 'a', '--name', 'b'], /--format csv or --format jsonl/],
    [['freezes', 'lift', '--tenant', 'a', '--asset', 'USD/2'], /required option '--reason <text>'/],
    [['worker', '--only', 'nonsense'], /There is no loop "nonsense"/],
    [['payments', 'archive', '--older-than', '1h'], /a duration of at least a day/],
    [['payments', 'list', '--limit', 'all'], /a whole number from 1 to 1000/],
    [['payments', 'fail', 'pay_1'], /required option '--reason <text>'/],
  ])('%j', async (args, says) => {
    const { code, out, err } = await usanceHere(folder, args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(says);
  });

  test('for machines too', async () => {
    const ended = await usanceHere(folder, ['verify', '--nope', '--json']);
    expect(ended.code).toBe(2);
    expect(ended.json()).toEqual({ error: { code: 'USAGE', message: "unknown option '--nope'" } });
  });
});
