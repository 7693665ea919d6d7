// One tenant is the first, and every right of the first tenant is that one's.
import { describe, expect, test } from 'vitest';
import { ensureBootstrapKey } from '../../src/cli/bootstrap.ts';
import { createEngine } from '../../src/engine.ts';
import { inSeconds, shared, token } from '../access/tokens.ts';
import { useDatabase } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

const SECRET = 'the-secret-of-the-environment-0123456789';

describe('the first tenant', () => {
  const store = useDatabase();

  test('is the first live one, for tenants, JWT_SECRET and the bootstrap key alike', async () => {
    const jwt = { secret: SECRET, audience: 'usance', issuer: null };
    const usance = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false, jwt });
    try {
      const trial = await usance.createTenant({ name: 'trial', kind: 'test' });
      expect(await refusalOf(trial.tenants())).toBe('AUTH_FORBIDDEN');
      const made = await Promise.all(Array.from({ length: 8 }, (_, n) => usance.createTenant({ name: `live-${n}` })));
      expect(await refusalOf(trial.tenants())).toBe('AUTH_FORBIDDEN');
      const [first, ...more] = (await usance.tenants()).filter(({ isFirst }) => isFirst);
      expect([first?.kind, more]).toEqual(['live', []]);
      for (const tenant of made) {
        await tenant.openAccount({ ref: 'alice' });
        const outcome = tenant.id === first?.id ? 'not refused' : 'AUTH_FORBIDDEN';
        expect(await refusalOf(tenant.tenants())).toBe(outcome);
      }
      const shown = await usance.authenticate(
        token(shared(SECRET), { sub: 'alice', aud: 'usance', exp: inSeconds(600) }),
      );
      expect(shown?.handle.id).toBe(first?.id);
      await ensureBootstrapKey(usance, { apiKey: 'a-bootstrap-key-of-our-own-choice' } as never);
      expect((await usance.authenticate('a-bootstrap-key-of-our-own-choice'))?.handle.id).toBe(first?.id);
    } finally {
      await usance.close();
    }
  });

  test('is one, and live, by the database', async () => {
    const second = store.owner.query(
      `insert into usance.tenants (id, name, kind, is_first) values (gen_random_uuid(), 'second', 'live', true)`,
    );
    await expect(second).rejects.toThrow('tenants_one_is_first');
    const test = store.owner.query(
      `insert into usance.tenants (id, name, kind, is_first) values (gen_random_uuid(), 'trial-2', 'test', true)`,
    );
    await expect(test).rejects.toThrow('tenants_first_is_live');
  });
});
