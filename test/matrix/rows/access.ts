// API keys and token issuers.
import { toTypeId } from '../../../src/kernel/index.ts';
import { pair } from '../../access/tokens.ts';
import type { Driver } from './driver.ts';
import { fresh } from './driver.ts';

interface KeyRow {
  readonly id: string;
  readonly user: string;
}

export const API_KEYS: Driver<'API key', KeyRow> = {
  async make({ tenant, owner, bystander: user }, cell) {
    const grant = cell.state === 'of an admin' ? { role: 'admin' as const } : { scopes: ['payments:read' as const] };
    const { key } = await tenant.createApiKey({ name: fresh('key'), ...grant });
    if (cell.state === 'rotated') await tenant.rotateApiKey(key.id);
    if (cell.state === 'revoked') await tenant.revokeApiKey(key.id);
    if (cell.state === 'expired')
      await owner.query(
        `begin; set local session_replication_role = replica;
         update usance.api_keys set created_at = created_at - interval '2 h', expires_at = clock_timestamp() - interval '1 h'
         where id = '${key.id}'; commit`,
      );
    return { id: key.id, user };
  },
  endUser: (_cell, row) => row.user,
  calls: {
    createApiKey: {
      http: (_row, { way }) => ['POST /api-keys', { name: fresh('made'), ...granted(way) }],
      by: (verbs, _row, { way }) => verbs.createApiKey({ name: fresh('made'), ...granted(way) }),
    },
    revokeApiKey: {
      http: ({ id }) => [`DELETE /api-keys/${toTypeId('apiKey', id)}`],
      by: (verbs, { id }) => verbs.revokeApiKey(id),
    },
    rotateApiKey: {
      http: ({ id }) => [`POST /api-keys/${toTypeId('apiKey', id)}/rotate`, {}],
      by: (verbs, { id }) => verbs.rotateApiKey(id),
    },
  },
};

const granted = (way: string): { role: 'admin' } | { scopes: ['ledger:read'] } =>
  way === 'beyond its scopes' ? { role: 'admin' } : { scopes: ['ledger:read'] };

interface IssuerRow {
  readonly id: string;
  readonly issuer: string;
  readonly user: string;
}

const { jwk } = pair('EdDSA', 'another');
const jwks = { keys: [jwk] };

export const ISSUERS: Driver<'token issuer', IssuerRow> = {
  async make({ tenant, bystander: user }, cell) {
    const issuer = fresh(`https://issuer-${process.pid}.example`);
    const { id } = await tenant.createTokenIssuer({ issuer, audience: issuer, algorithm: 'EdDSA', jwks });
    if (cell.state === 'removed') await tenant.deleteTokenIssuer(id);
    return { id, issuer, user };
  },
  endUser: (_cell, row) => row.user,
  calls: {
    createTokenIssuer: {
      http: ({ issuer }) => ['POST /token-issuers', { issuer, audience: issuer, algorithm: 'EdDSA', jwks }],
      by: (verbs, { issuer }) => verbs.createTokenIssuer({ issuer, audience: issuer, algorithm: 'EdDSA', jwks }),
    },
    updateTokenIssuer: {
      http: ({ id }) => [`PATCH /token-issuers/${toTypeId('tokenIssuer', id)}`, { jwks }],
      by: (verbs, { id }) => verbs.updateTokenIssuer(id, { jwks }),
    },
    deleteTokenIssuer: {
      http: ({ id }) => [`DELETE /token-issuers/${toTypeId('tokenIssuer', id)}`],
      by: (verbs, { id }) => verbs.deleteTokenIssuer(id),
    },
  },
};
