// Variables of callers and secrets; a part of the table in config-variables.ts.
import type { Variable } from './config-variables.ts';

export const ACCESS_VARIABLES = [
  {
    name: 'USANCE_API_KEY',
    for: 'dev, api, listen',
    default: null,
    says: 'API key of your choice for the first tenant, 24 to 200 printable characters. Unset: "usance dev" creates one and keeps it in USANCE_DATA_DIR.',
    example: 'choose-24-or-more-characters',
    secret: true,
  },
  {
    name: 'JWT_SECRET',
    for: 'dev, api',
    default: null,
    says: 'Secret (HS256) that verifies JWTs of the first tenant’s end users, at least 32 characters. none, or unset outside production: only registered token issuers are trusted.',
    neededBy: ['api'],
    example: 'choose-32-or-more-random-characters',
    secret: true,
  },
  {
    name: 'JWT_SECRET_PREVIOUS',
    for: 'dev, api',
    default: null,
    says: 'The previous JWT_SECRET, accepted during a rotation. Remove it after USANCE_TOKEN_LIFETIME.',
  },
  {
    name: 'USANCE_TOKEN_LIFETIME',
    for: 'dev, api',
    default: '1d',
    says: 'Longest accepted lifetime of a token, from iat to exp: 15m, 12h, P1D.',
  },
  {
    name: 'JWT_AUDIENCE',
    for: 'dev, api',
    default: 'usance',
    says: 'Required value in `aud` of a token signed with JWT_SECRET.',
  },
  {
    name: 'JWT_ISSUER',
    for: 'dev, api',
    default: null,
    says: 'Required `iss` of a token signed with JWT_SECRET. Unset: not checked.',
    example: 'https://login.example.com/',
  },
  {
    name: 'USANCE_SESSION_IDLE',
    for: 'dev, api',
    default: '30m',
    says: 'How long a session of the dashboard lasts without a request: 15m, 1h.',
  },
  {
    name: 'USANCE_SESSION_LIFETIME',
    for: 'dev, api',
    default: '12h',
    says: 'How long a session of the dashboard lasts at most, at least USANCE_SESSION_IDLE.',
  },
  {
    name: 'USANCE_ENCRYPTION_KEY',
    for: 'dev, api, worker, doctor; if set, every command that opens a store',
    default: null,
    says: 'Key that encrypts contacts of accounts, secrets and headers of webhook endpoints, URLs and secrets of notification channels, and secrets of links in e-mails in the database: 32 random bytes in base64 or hexadecimal digits, the same in every process; "usance encryption-key" prints one. Unset: an embedded store makes one in USANCE_DATA_DIR, and so does "usance dev", outside production; otherwise these cannot be created, and dev, api and worker do not start on a store that has them.',
    example: 'choose-with-usance-encryption-key',
    secret: true,
  },
  {
    name: 'USANCE_ENCRYPTION_KEY_PREVIOUS',
    for: 'dev, api, worker, doctor; if set, every command that opens a store',
    default: null,
    says: 'The previous USANCE_ENCRYPTION_KEY, or the key in USANCE_DATA_DIR, during a rotation; beside the key in USANCE_DATA_DIR it needs no USANCE_ENCRYPTION_KEY. Its values are still read, and "usance worker" encrypts them again. Remove it when "usance doctor" says that it is not needed any more.',
  },
] as const satisfies readonly Variable[];
