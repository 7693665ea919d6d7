// Settings that keep secrets secret, and what is not for everybody on this machine.
import { describe, expect, test } from 'vitest';
import type { VariableName } from '../../src/config.ts';
import { VARIABLES, loadConfig } from '../../src/config.ts';
import { serverEnvironment } from '../../src/db/embedded/account.ts';

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://app:long-and-own@db/app',
  JWT_SECRET: 'forty-characters-that-nobody-else-has-!!',
};
const load = (more: Partial<Record<VariableName, string>> = {}) => loadConfig('api', { ...PRODUCTION, ...more });

describe('in production', () => {
  const secrets = VARIABLES.flatMap((row) => ('secret' in row ? [[row.name, row.example] as const] : []));

  test.each(secrets)('the placeholder of .env.example for %s is refused', (name, example) => {
    // E-mail needs all three.
    const beside = { USANCE_EMAIL_FROM: 'payments@example.com', USANCE_PUBLIC_URL: 'https://pay.example.com' };
    const more = name === 'USANCE_SMTP_URL' ? beside : {};
    expect(() => load({ ...more, [name]: example })).toThrow(`${name} is the placeholder of .env.example`);
    expect(() => load()).not.toThrow();
  });

  test('every example that looks like a secret is known as one', () => {
    const looks = VARIABLES.filter((row) => 'example' in row && /choose|password/.test(row.example));
    expect(looks.map(({ name }) => name)).toEqual(secrets.map(([name]) => name));
  });

  test('JWT_SECRET may be none where only issuers sign, and is not left out by accident', () => {
    expect(load({ JWT_SECRET: 'none' }).jwt).toBeNull();
    expect(() => load({ JWT_SECRET: '' })).toThrow('JWT_SECRET is not set');
  });
});

test('two secrets are taken while one replaces the other, and neither is short', () => {
  const previous = 'forty-characters-of-the-secret-before-it';
  expect(load({ JWT_SECRET_PREVIOUS: previous }).jwt).toMatchObject({ secret: PRODUCTION.JWT_SECRET, previous });
  expect(() => load({ JWT_SECRET_PREVIOUS: 'short' })).toThrow('JWT_SECRET_PREVIOUS must be at least 32 characters');
  expect(() => load({ JWT_SECRET: 'x'.repeat(31) })).toThrow('JWT_SECRET must be at least 32 characters');
  expect(load({ JWT_SECRET: 'x'.repeat(32) }).jwt).toMatchObject({ secret: 'x'.repeat(32) });
  expect(() => load({ JWT_SECRET: 'none', JWT_SECRET_PREVIOUS: previous })).toThrow('JWT_SECRET is not');
});

test('metrics are for this machine unless METRICS_HOST says otherwise, whatever HOST is', () => {
  expect(load({ HOST: '0.0.0.0' }).metricsHost).toBe('127.0.0.1');
  expect(load({ METRICS_HOST: '10.0.0.7' }).metricsHost).toBe('10.0.0.7');
});

test('the embedded server inherits no secret and no setting of another server', () => {
  const environment = {
    PATH: '/bin',
    TZ: 'UTC',
    JWT_SECRET: 'x',
    USANCE_API_KEY: 'x',
    AWS_SECRET: 'x',
    PGPASSWORD: 'x',
  };
  expect(serverEnvironment(environment)).toEqual({ PATH: '/bin', TZ: 'UTC', LC_ALL: 'C' });
});
