// What must hold of credentials, for `usance verify`: each has the events of its making and its end, and the keys of an issuer are those
// that the last event names. What was written by SQL alone has no event. $1 is for accounts, of which a credential knows nothing.
import { READABLE_EVENTS, lastEvents } from '../events/index.ts';
import type { Check } from '../ledger/index.ts';

const told = (types: string): string =>
  `(select tenant_id, resource_id from (${READABLE_EVENTS}) e where type in (${types}) group by 1, 2)`;

/** The thumbprints (RFC 7638) of the keys of an issuer `i`, as its events have them: thumbprintOf in SQL. */
const THUMBPRINTS = `(select coalesce(jsonb_agg(rtrim(translate(encode(sha256(convert_to(m.members, 'UTF8')), 'base64'), '+/', '-_'), '=') order by n), '[]')
  from jsonb_array_elements(i.keys) with ordinality k (jwk, n)
  cross join lateral (select '{' || string_agg(to_json(key)::text || ':' || to_json(value)::text, ',' order by key collate "C") || '}' as members
                      from jsonb_each_text(k.jwk) where key <> 'kid') m)`;

export const ACCESS_CHECKS: readonly Check[] = [
  {
    name: 'keys-are-told',
    kind: 'bookkeeping',
    says: 'every API key has the event of its creation, and is revoked exactly if an event says so',
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
    says: 'every token issuer has the event of its creation and the keys and the URL that the last event names, and is removed exactly if an event says so',
    counted: 'select count(*) as rows from usance.token_issuers',
    whole: true,
    offenders: `select i.tenant_id, '' as asset, jsonb_build_object('issuer', i.id, 'name', i.issuer, 'audience', i.audience,
                       'made', m.resource_id is not null, 'removed', i.removed_at is not null, 'event', l.data -> 'thumbprints') as details
                from usance.token_issuers i
                left join ${told(`'token_issuer.created'`)} m on m.tenant_id = i.tenant_id and m.resource_id = i.id
                left join ${told(`'token_issuer.deleted'`)} r on r.tenant_id = i.tenant_id and r.resource_id = i.id
                left join ${lastEvents(`'token_issuer.created', 'token_issuer.updated', 'token_issuer.keys_fetched'`)} l
                  on l.tenant_id = i.tenant_id and l.resource_id = i.id
                where $1::uuid[] is null
                  and (m.resource_id is null or (i.removed_at is not null) <> (r.resource_id is not null)
                       or (i.removed_at is null and not l.data ? 'erased'
                           and (l.data -> 'thumbprints' is distinct from ${THUMBPRINTS} or l.data ->> 'jwksUrl' is distinct from i.jwks_url)))`,
  },
  {
    name: 'revocations-are-told',
    kind: 'bookkeeping',
    says: 'tokens of an account are revoked exactly if an event says so',
    counted: 'select count(*) as rows from usance.token_revocations',
    whole: true,
    offenders: `select tenant_id, '' as asset, jsonb_build_object('account', coalesce(v.account_id, t.resource_id),
                       'revoked_at', v.revoked_at, 'revoked_by', v.revoked_by, 'told', t.resource_id is not null) as details
                from usance.token_revocations v
                full join (select tenant_id, resource_id as account_id, resource_id from ${told(`'account.tokens_revoked'`)} e) t
                  using (tenant_id, account_id)
                where $1::uuid[] is null and (v.account_id is null or t.resource_id is null)`,
  },
];
