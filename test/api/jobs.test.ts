// Jobs over HTTP: their fields and defaults, changes, lists and permissions.
import { beforeAll, describe, expect, test } from 'vitest';
import { toTypeId } from '../../src/kernel/index.ts';
import { PROCESSOR, addManagedJob, announce, freshName } from '../support/jobs.ts';
import { open } from '../support/books.ts';
import type { Answer } from './api.ts';
import { useApi } from './api.ts';
import { problemIn } from './problem.ts';

const store = useApi();
const TERMS = { event_pattern: 'payment.settled', processor_name: PROCESSOR };
const create = (change: object = {}): Promise<Answer> =>
  store.send('POST /jobs', { body: { name: freshName(), ...TERMS, ...change } });
const created = async (change: object = {}): Promise<string> => {
  const answer = await create(change);
  expect(answer.status, answer.text).toBe(201);
  return answer.word('id');
};
const events = async (id: string): Promise<unknown[]> => {
  await store.run('sequencer');
  return (await store.send(`GET /events?resource_id=${id}`)).list('data');
};

beforeAll(async () => {
  await announce(store.owner);
  await announce(store.owner, 'export-ledger');
});

describe('a job', () => {
  test('has a name, a pattern and a processor, and a default for everything else', async () => {
    const name = freshName();
    const answer = await create({ name });
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^job_[0-9a-z]{26}$/),
      name,
      description: '',
      event_pattern: 'payment.settled',
      processor_name: PROCESSOR,
      managed: false,
      enabled: true,
      retry_config: null,
      timeout_ms: 60_000,
      max_concurrency: null,
      max_per_second: null,
      after: expect.any(Number),
      created_by: expect.stringMatching(/^key_/),
      created_at: expect.stringMatching(/Z$/),
      updated_at: answer.get('created_at'),
    });
    expect((await store.send(`GET /jobs/${answer.word('id')}`)).body).toEqual(answer.body);
  });

  test('shows everything that it was given', async () => {
    const given = {
      description: 'Sends a receipt.',
      event_pattern: 'posts.*',
      enabled: false,
      timeout_ms: 5_000,
      max_concurrency: 7,
      max_per_second: 11,
    };
    expect((await create(given)).body).toMatchObject(given);
  });

  test('of a built-in processor is shown with its waits, and refuses to be changed or deleted', async () => {
    const made = await addManagedJob(store.usance, store.tenant.id, { eventPattern: 'a.b,c.*' });
    const id = toTypeId('job', made.id);
    const shown = await store.send(`GET /jobs/${id}`);
    expect(shown.body).toMatchObject({
      managed: true,
      processor_name: 'webhook-delivery',
      event_pattern: 'a.b,c.*',
      retry_config: { max_attempts: 10, delays_ms: expect.arrayContaining([5_000, 86_400_000]) },
    });
    const listed = await store.send('GET /jobs?processor_name=webhook-delivery');
    expect(listed.list('data')).toEqual([shown.body]);
    for (const request of [`PATCH /jobs/${id}`, `PATCH /jobs/${encodeURIComponent(made.name)}`]) {
      const refused = await store.send(request, { body: { enabled: false } });
      expect(problemIn(refused)).toMatchObject({ code: 'JOB_MANAGED' });
      expect(refused.status).toBe(409);
    }
    expect(problemIn(await store.send(`DELETE /jobs/${id}`))).toMatchObject({ code: 'JOB_MANAGED' });
    expect((await store.send(`GET /jobs/${id}`)).body).toEqual(shown.body);
    expect(await events(id)).toMatchObject([{ type: 'job.created', data: { new: { retry_config: { jitter: 0.1 } } } }]);
    for (const change of [{ processor_name: 'webhook-delivery' }, { retry_config: { delays_ms: [1_000] } }])
      expect((await create(change)).status).toBeGreaterThanOrEqual(400);
  });

  test('has the rest of a retry policy from the default: 3 attempts, 1,000 ms, ×2, 60,000 ms', async () => {
    const usual = { max_attempts: 3, initial_delay_ms: 1_000, multiplier: 2, max_delay_ms: 60_000, jitter: 0 };
    for (const part of [{}, { max_attempts: 5 }, { initial_delay_ms: 2_000, jitter: 0.5 }, { multiplier: 1.5 }])
      expect((await create({ retry_config: part })).get('retry_config')).toEqual({ ...usual, ...part });
    expect((await create({ retry_config: null })).get('retry_config')).toBeNull();
  });

  test('takes backoff_multiplier for multiplier, and refuses both', async () => {
    const answer = await create({ retry_config: { backoff_multiplier: 3 } });
    expect(answer.get('retry_config')).toMatchObject({ multiplier: 3 });
    expect(answer.text).not.toContain('backoff_multiplier');
    const both = await create({ retry_config: { multiplier: 2, backoff_multiplier: 3 } });
    expect(problemIn(both)).toMatchObject({ code: 'FIELD_INVALID', param: 'retry_config.backoff_multiplier' });
  });

  test.each([
    [{ retry_config: { max_attempts: 0 } }, 'FIELD_INVALID', 'retry_config.max_attempts'],
    [{ retry_config: { initial_delay_ms: 10 } }, 'RETRY_INVALID', 'retry_config'],
    [{ retry_config: { attempts: 5 } }, 'FIELD_UNKNOWN', 'retry_config.attempts'],
    [{ retry_config: 'hold' }, 'FIELD_INVALID', 'retry_config'],
    [{ timeout_ms: 99 }, 'FIELD_INVALID', 'timeout_ms'],
    [{ max_concurrency: 0 }, 'FIELD_INVALID', 'max_concurrency'],
    [{ max_per_second: 1.5 }, 'FIELD_INVALID', 'max_per_second'],
    [{ name: '' }, 'FIELD_INVALID', 'name'],
    [{ name: ' receipts ' }, 'FIELD_INVALID', 'name'],
    [{ description: 'x'.repeat(1_001) }, 'FIELD_INVALID', 'description'],
    [{ event_pattern: '**' }, 'EVENT_PATTERN_INVALID', 'event_pattern'],
    [{ event_pattern: 'payment.*.done' }, 'EVENT_PATTERN_INVALID', 'event_pattern'],
    [{ processor_name: 'send-recipt' }, 'JOB_PROCESSOR_UNKNOWN', 'processor_name'],
    [{ after: 'yesterday' }, 'FIELD_INVALID', 'after'],
  ])('%j is refused', async (change, code, param) => {
    expect(problemIn(await create(change))).toMatchObject({ code, param });
  });

  test('begins at the newest event, or behind the event in `after`', async () => {
    await open(store.tenant, { alice: 10 });
    await store.run('sequencer');
    const [first, last] = await Promise.all([
      store.send('GET /events?limit=1'),
      store.tenant.lastEventCursor().then(({ seq }) => Number(seq)),
    ]);
    expect((await create()).get('after')).toBe(last);
    expect((await create({ after: 0 })).get('after')).toBe(0);
    expect((await create({ after: first.word('data.0.cursor') })).get('after')).toBe(first.get('data.0.seq'));
    expect(problemIn(await create({ after: '1-00000000' })).code).toBe('CURSOR_DIVERGED');
    expect(problemIn(await create({ after: last + 1_000 })).code).toBe('CURSOR_DIVERGED');
  });

  test('is created once for an idempotency key', async () => {
    const body = { name: freshName(), ...TERMS };
    const first = await store.send('POST /jobs', { body, key: body.name });
    const again = await store.send('POST /jobs', { body, key: body.name });
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([201, first.text, 'true']);
  });

  test('keeps its name until it is deleted', async () => {
    const name = freshName();
    const id = await created({ name });
    expect(problemIn(await create({ name }))).toMatchObject({ code: 'JOB_NAME_TAKEN', param: 'name' });
    const other = await created();
    const renamed = await store.send(`PATCH /jobs/${other}`, { body: { name } });
    expect(problemIn(renamed)).toMatchObject({ code: 'JOB_NAME_TAKEN', param: 'name' });
    expect((await store.send(`DELETE /jobs/${id}`)).status).toBe(200);
    expect((await create({ name })).status).toBe(201);
    expect(problemIn(await store.send(`GET /jobs/${id}`)).code).toBe('JOB_NOT_FOUND');
    expect(problemIn(await store.send(`DELETE /jobs/${id}`)).code).toBe('JOB_NOT_FOUND');
  });

  test('is read, changed and deleted by its id or its name', async () => {
    const name = freshName();
    const id = await created({ name });
    const path = `/jobs/${encodeURIComponent(name)}`;
    expect((await store.send(`GET ${path}`)).get('id')).toBe(id);
    expect((await store.send(`PATCH ${path}`, { body: { enabled: false } })).body).toMatchObject({
      id,
      enabled: false,
    });
    expect((await store.send(`DELETE ${path}`)).get('id')).toBe(id);
  });

  test('is changed field by field; null restores the retry policy and removes limits', async () => {
    const id = await created({ retry_config: { max_attempts: 9 }, max_concurrency: 3, max_per_second: 4 });
    const change = (body: object) => store.send(`PATCH /jobs/${id}`, { body });
    const before = (await store.send(`GET /jobs/${id}`)).body as object;
    const changed = { event_pattern: 'payment.*', processor_name: 'export-ledger', description: 'D', timeout_ms: 100 };
    const after = (await change(changed)).body as object;
    expect(after).toMatchObject({ ...before, ...changed, updated_at: expect.any(String) as string });
    const none = { retry_config: null, max_concurrency: null, max_per_second: null };
    expect((await change(none)).body).toMatchObject(none);
    expect(problemIn(await change({})).code).toBe('FIELD_INVALID');
    expect(problemIn(await change({ after: 0 })).code).toBe('FIELD_UNKNOWN');
    expect(problemIn(await change({ processor_name: 'nothing' })).code).toBe('JOB_PROCESSOR_UNKNOWN');
  });

  test('is changed only in the version that was read', async () => {
    const path = `/jobs/${await created()}`;
    const read = (await store.send(`GET ${path}`)).headers.get('etag') ?? '';
    expect(read).toMatch(/^"[\w-]{22}-[\w-]{22}"$/);
    const edit = (timeout_ms: number) =>
      store.send(`PATCH ${path}`, { body: { timeout_ms }, headers: { 'if-match': read } });
    const answers = await Promise.all([1_000, 2_000, 3_000].map(edit));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412]);
    expect(problemIn(await store.send(`DELETE ${path}`, { headers: { 'if-match': read } })).code).toBe(
      'PRECONDITION_FAILED',
    );
  });

  test('emits its creation, the old and new values of a change, and its deletion', async () => {
    const name = freshName();
    const id = await created({ name, max_concurrency: 3 });
    await store.send(`PATCH /jobs/${id}`, { body: { enabled: false, max_concurrency: null } });
    await store.send(`DELETE /jobs/${id}`);
    expect(await events(id)).toMatchObject([
      { type: 'job.created', resource: 'job', resource_id: id, data: { new: { name, enabled: true } } },
      {
        type: 'job.updated',
        data: { old: { enabled: true, max_concurrency: 3 }, new: { enabled: false, max_concurrency: null } },
      },
      { type: 'job.deleted', data: { name, event_pattern: 'payment.settled', processor_name: PROCESSOR } },
    ]);
  });
});

describe('jobs', () => {
  test('are listed newest first, by state and processor, without deleted ones', async () => {
    const [one, two, three] = [
      await created({ processor_name: 'export-ledger' }),
      await created({ processor_name: 'export-ledger', enabled: false }),
      await created({ processor_name: 'export-ledger' }),
    ];
    await store.send(`DELETE /jobs/${three}`);
    const ids = async (query: string): Promise<unknown[]> =>
      (await store.send(`GET /jobs?processor_name=export-ledger${query}`))
        .list('data')
        .map((job) => (job as { id: string }).id)
        .filter((id) => [one, two, three].includes(id));
    expect(await ids('')).toEqual([two, one]);
    expect(await ids('&enabled=true')).toEqual([one]);
    expect(await ids('&enabled=false')).toEqual([two]);
    const first = await store.send('GET /jobs?processor_name=export-ledger&limit=1');
    const second = await store.send(
      `GET /jobs?processor_name=export-ledger&limit=1&cursor=${first.word('next_cursor')}`,
    );
    expect([first.get('data.0.id'), second.get('data.0.id')]).toEqual([two, one]);
  });

  test('are read with jobs:read and changed with jobs:write; a viewer reads, an operator changes', async () => {
    const secretOf = async (grant: object): Promise<string> =>
      (await store.tenant.createApiKey({ name: 'scoped', ...grant })).secret;
    const attempts = async (secret: string): Promise<number[]> => {
      const body = { name: freshName(), ...TERMS };
      const made = await store.send('POST /jobs', { body, secret });
      return [
        (await store.send('GET /jobs', { secret })).status,
        (await store.send('GET /processors', { secret })).status,
        (await store.send('GET /executions', { secret })).status,
        made.status,
      ];
    };
    expect(await attempts(await secretOf({ scopes: ['jobs:read'] }))).toEqual([200, 200, 200, 403]);
    expect(await attempts(await secretOf({ scopes: ['jobs:write'] }))).toEqual([403, 403, 403, 201]);
    expect(await attempts(await secretOf({ role: 'viewer' }))).toEqual([200, 200, 200, 403]);
    expect(await attempts(await secretOf({ role: 'operator' }))).toEqual([200, 200, 200, 201]);
    expect(await attempts(await secretOf({ scopes: ['payments:write', 'events:read'] }))).toEqual([403, 403, 403, 403]);
  });
});

test('processors are listed by name, with the time at which a worker was last seen', async () => {
  const { data } = (await store.send('GET /processors')).body as { data: Record<string, string>[] };
  expect(data.map(({ name }) => name)).toEqual(['export-ledger', PROCESSOR]);
  expect(Object.keys(data[0] ?? {})).toEqual(['name', 'description', 'announced_at', 'last_seen_at']);
});
