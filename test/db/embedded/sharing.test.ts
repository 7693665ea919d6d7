// Several programs and one server. Each program here is a process of its own.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { isServing } from '../../../src/db/embedded/postmaster.ts';
import { ask, emptyFolder, killAndWait, madeFolder, open, startProgram } from './world.ts';

describe('programs that share the embedded server', () => {
  test('keep it until the last one leaves', async () => {
    const dataDir = await madeFolder();
    const pgdata = join(dataDir, 'cluster', 'pgdata');
    const starter = startProgram(dataDir);
    const started = await starter.hear('port');
    const joiner = startProgram(dataDir);
    const joined = await joiner.hear('port');
    expect([started.adopted, joined.adopted]).toEqual([false, true]);
    expect(joined.pid).toBe(started.pid);

    await starter.leave();
    expect(await isServing(started.pid, pgdata)).toBe(true);
    expect(await ask(started.ownerUrl, 'select 1 as n')).toEqual([{ n: 1 }]);

    await joiner.leave();
    await joiner.hear('released');
    expect(await isServing(started.pid, pgdata)).toBe(false);
  });

  test('get the same one when five start at once on an empty folder', async () => {
    const dataDir = await emptyFolder();
    const programs = Array.from({ length: 5 }, () => startProgram(dataDir));
    const said = await Promise.all(programs.map((program) => program.hear('port')));
    expect(new Set(said.map(({ pid }) => pid)).size).toBe(1);
    expect(new Set(said.map(({ runtimeUrl }) => runtimeUrl)).size).toBe(1);
    expect(said.filter(({ adopted }) => !adopted)).toHaveLength(1);
    expect((await readdir(dataDir)).toSorted()).toEqual(['cluster', 'server.log']);

    await Promise.all(programs.map((program) => program.leave()));
    expect(await isServing(said[0]?.pid ?? 0, join(dataDir, 'cluster', 'pgdata'))).toBe(false);
  });

  test('never meet a stopped one, however leaving and arriving fall together', async () => {
    const dataDir = await madeFolder();
    const visit = async (): Promise<void> => {
      const server = await open(dataDir);
      expect(await ask(server.runtimeUrl, 'select 1 as n')).toEqual([{ n: 1 }]);
      await server.release();
    };
    const visitor = async (): Promise<void> => {
      for (let visits = 0; visits < 4; visits += 1) await visit();
    };
    await Promise.all([visitor(), visitor(), visitor()]);
  });

  test('find it running when the program that started it was killed', async () => {
    const dataDir = await madeFolder();
    const program = startProgram(dataDir);
    const { pid } = await program.hear('port');
    await program.kill();
    const server = await open(dataDir);
    expect(server).toMatchObject({ adopted: true, pid });
    // The server notices a killed program in its own time; until then that one counts as being here.
    const present = `select 1 from pg_stat_activity where application_name = 'usance presence'`;
    await vi.waitFor(async () => expect(await ask(server.ownerUrl, present)).toHaveLength(1), 20_000);
    await server.release();
    expect(await isServing(pid, join(dataDir, 'cluster', 'pgdata'))).toBe(false);
  });

  test('bring it back together when it is killed', async () => {
    const dataDir = await madeFolder();
    const programs = Array.from({ length: 3 }, () => startProgram(dataDir));
    const [one, two] = await Promise.all(programs.map((program) => program.hear('port')));
    await killAndWait(one?.pid ?? 0, join(dataDir, 'cluster', 'pgdata'));
    for (const program of programs) {
      expect((await program.hear('notice')).notice).toBe('PostgreSQL went away: bringing it back');
      expect((await program.hear('notice')).notice).toBe(`PostgreSQL is back on port ${one?.port}`);
    }
    expect(await ask(two?.runtimeUrl ?? '', 'select 1 as n')).toEqual([{ n: 1 }]);
    const present = "select count(*)::int as n from pg_stat_activity where application_name = 'usance presence'";
    expect(await ask(two?.ownerUrl ?? '', present)).toEqual([{ n: 3 }]);
  });
});
