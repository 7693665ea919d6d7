// Events about API keys, token issuers and sign-ins.
import { Type } from 'typebox';
import type { Data, EventDefinition } from './define.ts';
import { event } from './define.ts';
import { created, id, instant, integer, list, maybe, nullable, text } from './fields.ts';

const KEY = {
  name: text('A name for people.', 'checkout'),
  prefix: text('The beginning of the key, by which it can be recognised.', 'usk_9xK2'),
};
const GRANT = {
  role: nullable(text('The role.', 'operator'), 'The role; null if the scopes were listed.'),
  scopes: list(text('A scope.', 'payments:write'), 'The scopes besides those of the role.'),
  expires_at: nullable(instant('When it expires.'), 'When it expires; null if it does not.'),
  person: nullable(text('The person that uses it.', 'jo'), 'The person that uses it; null if none was named.'),
};
const GRANTED = { new: { role: 'operator', scopes: [], expires_at: null, person: 'jo' } };

const SESSION = { key: id('apiKey', 'The key that it acts as.', 'key_01k9zt3q8sxa4e6r1t9v2w5y7z') };

const ISSUER = {
  issuer: text('The `iss` of its tokens.', 'https://login.example.com'),
  audience: text('Must be among the `aud` of its tokens.', 'usance'),
  algorithm: text('The algorithm that it signs with.', 'RS256'),
  keys: list(nullable(text('A `kid`.', '2026-11')), 'The `kid` of each key; null for a key without one.'),
  thumbprints: list(
    text('RFC 7638.', 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'),
    'The thumbprint of each key (RFC 7638, SHA-256).',
  ),
  jwks_url: nullable(
    text('The URL of its keys.', 'https://login.example.com/jwks.json'),
    'The URL from which its keys are fetched; null if they were uploaded.',
  ),
};
/** The URL is stored only if there is one. */
const issuerEvent = (says: string, example: Data = { jwks_url: null }): EventDefinition => ({
  ...event(says, ISSUER, example),
  complete: (stored) => ({ jwksUrl: null, ...stored }),
});

export const ACCESS_EVENTS = {
  'api_key.created': event('An API key was created.', { ...KEY, ...created(GRANT) }, GRANTED),
  'api_key.revoked': event('An API key was revoked.', KEY),
  'api_key.rotated': event(
    'An API key was replaced by another.',
    {
      ...KEY,
      ...created(GRANT),
      replaces: id('apiKey', 'The key that was replaced.', 'key_01k9zt3q8sxa4e6r1t9v2w5y7z'),
      until: nullable(instant('How long the replaced key still works.'), 'How long the replaced key still works.'),
    },
    GRANTED,
  ),
  'session.created': event('A session of the dashboard was opened with an API key, or with a sign-in link of one.', {
    ...SESSION,
    via: text('Whether a key or a link opened it: `key`, `link`.', 'key'),
  }),
  'session.ended': event(
    'A session was ended by a sign-out, here or everywhere, or by another sign-in of its browser.',
    {
      ...SESSION,
      everywhere: maybe(
        Type.Boolean({ description: 'True: a sign-out of all browsers of the key ended it.', examples: [true] }),
        'after a sign-out of its own browser, and after another sign-in',
      ),
    },
  ),
  'sign_in.accepted': event('The first request of an API key or end user from an address that day, per process.', {}),
  'sign_in.refused': event('An ended API key, or an invalid token of a known issuer, was refused.', {
    times: integer('How often since the last such event.', 3),
    reason: text('Why it was refused.', 'the API key was revoked'),
  }),
  'token_issuer.created': issuerEvent('A token issuer was created.'),
  'token_issuer.deleted': issuerEvent('A token issuer was deleted: its tokens are refused.'),
  'token_issuer.keys_fetched': issuerEvent('The key set at the URL of a token issuer has changed.', {}),
  'token_issuer.updated': issuerEvent('The keys of a token issuer were replaced.'),
} as const;
