// What must hold of credentials, for `usance verify`: each has the events of its making and its end. A key or an issuer that was
// put into the table by SQL has none. $1 is for accounts, of which a credential knows nothing.
import { TOLD } from '../events/index.ts';
import type { Check } from '../ledger/index.ts';

const told = (types: string): string =>
  `(select tenant_id, resource_id from (${TOLD}) e where type in (${types}) group by 1, 2)`;

export const ACCESS_CHECKS: readonly Check[] = [
  {
    name: 'keys-are-told',
    kind: 'bookkeeping',
    says: 'every API key has the event of its making, and is revoked exactly where an event says so',
    counted: 'select count(*) as rows from usance.api_keys',
    whole: true,
    offenders: `select k.tenant_id, '' as asset, jsonb_build_object('key', k.id, 'name', k.name, 'created_by', k.created_by,
                       'made', m.resource_id is not null, 'revoked', k.revoked_at is not null) as details
                from usance.api_keys k
                left join ${told(`'api_key.created', 'api_key.rotated'`)} m on m.tenant_id = k.tenant_id and m.resource_id = k.id
                left join ${told(`'api_key.revoked'`)} r on r.tenant_id = k.tenant_id and r.resource_id = k.id
                where $1::uuid[] is null
                  and (m.resource_id is null or (k.revoked_at is not null) <> (r.resource_id is not null))`,
  },
  {
    name: 'issuers-are-told',
    kind: 'bookkeeping',
    says: 'every token issuer has the event of its making, and is removed exactly where an event says so',
    counted: 'select count(*) as rows from usance.token_issuers',
    whole: true,
    offenders: `select i.tenant_id, '' as asset, jsonb_build_object('issuer', i.id, 'name', i.issuer, 'audience', i.audience,
                       'made', m.resource_id is not null, 'removed', i.removed_at is not null) as details
                from usance.token_issuers i
                left join ${told(`'token_issuer.created'`)} m on m.tenant_id = i.tenant_id and m.resource_id = i.id
                left join ${told(`'token_issuer.removed'`)} r on r.tenant_id = i.tenant_id and r.resource_id = i.id
                where $1::uuid[] is null
                  and (m.resource_id is null or (i.removed_at is not null) <> (r.resource_id is not null))`,
  },
];
