// Tenants, for the operator of the installation, which has a key of the first tenant.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Tenant as EngineTenant } from '../../engine.ts';
import { toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { wholeList } from '../cursor.ts';
import { Instant, closed, idOf, listOf, oneOf, textOrNull } from '../schemas.ts';
import { ApiKeyMade, EXAMPLE_MADE, showMade } from './api-keys.ts';
import { CREATED_AT } from './examples.ts';
import { refusedAs } from '../validate.ts';

const KINDS = ['live', 'test'] as const;

const TENANT = {
  id: idOf('tenant'),
  name: Type.String({ examples: ['bakery'] }),
  kind: oneOf(KINDS),
  default_asset: textOrNull(),
  created_at: Instant,
};
const Tenant = closed(TENANT, { title: 'Tenant' });
const TenantMade = closed({ ...TENANT, key: ApiKeyMade }, { title: 'TenantMade' });

const show = (tenant: EngineTenant): Static<typeof Tenant> => ({
  id: toTypeId('tenant', tenant.id),
  name: tenant.name,
  kind: tenant.kind,
  default_asset: tenant.defaultAsset,
  created_at: tenant.createdAt.toISOString(),
});

const EXAMPLE = {
  id: 'ten_01k9zth4v6x8z0b2d4f6h8k0n2',
  name: 'bakery',
  kind: 'live',
  default_asset: null,
  created_at: CREATED_AT,
};

export const tenantRoutes = {
  'tenants.create': route({
    method: 'POST',
    path: '/tenants',
    summary: 'Create a tenant',
    description:
      'Creates a tenant and an API key with all scopes for it. Requires a key of the first tenant with all scopes.',
    scope: 'tenants:write',
    status: 201,
    body: closed({
      name: Type.String({
        pattern: '^[a-z0-9][a-z0-9._-]{0,99}$',
        examples: ['bakery'],
        description:
          'Unique in the database: 1 to 100 of a–z, 0–9, dot, dash and underscore; begins with a letter or digit.',
        ...refusedAs('FIELD_INVALID/tenant_name'),
      }),
      kind: Type.Optional(
        oneOf(KINDS, { description: '`live`, or `test`: its time is a test clock. Default `live`.' }),
      ),
    }),
    answer: TenantMade,
    example: {
      body: { name: 'bakery' },
      answer: { ...EXAMPLE, key: { ...EXAMPLE_MADE, name: 'first', role: 'admin', scopes: [] } },
    },
    async handle({ tenant, body }) {
      const made = await tenant.createTenant(body);
      return { ...show(made.tenant), key: showMade(made) };
    },
    remembers: (made) => ({ ...made, key: { ...made.key, secret: null } }),
  }),

  'tenants.list': route({
    method: 'GET',
    path: '/tenants',
    summary: 'List tenants',
    description: 'Oldest first. Requires a key of the first tenant.',
    scope: 'tenants:read',
    answer: listOf(Tenant, 'TenantList'),
    example: { answer: { data: [EXAMPLE], next_cursor: null } },
    handle: ({ tenant }) => wholeList(tenant.tenants(), show),
  }),
};
