// Who did something: usance itself, a command, an end user, or a key, by its name where the session may read keys.
import type { ReactNode } from 'react';
import type { ApiKey } from '../../../src/client/index.ts';
import { api } from '../api/client.ts';
import { useRead } from '../api/queries.ts';
import { useAllowed } from '../app/session.tsx';
import { shortId } from './format.ts';
import { Id, pageOf } from './values.tsx';

export function Actor({ of }: { readonly of: string }): ReactNode {
  const mayRead = useAllowed('keys:read');
  const isKey = of.startsWith('key_');
  const { data } = useRead('apiKeys.list', ['names'], namesOfKeys, { enabled: mayRead && isKey });
  if (of === 'system') return 'usance';
  if (of.startsWith('cli:')) return `the command ${of.slice(4)}`;
  if (!isKey) return pageOf(of) === null ? of : <Id of={of} />;
  const name = data?.get(of);
  return <span title={of}>{name ?? <span className="mono">{shortId(of)}</span>}</span>;
}

/** Of the newest keys; the others are shown by their ids. */
async function namesOfKeys(): Promise<ReadonlyMap<string, string>> {
  const { data } = await api.apiKeys.list({ limit: 100 }).page();
  return new Map(data.map(({ id, name, person }: ApiKey) => [id, person === null ? name : `${name} (${person})`]));
}
