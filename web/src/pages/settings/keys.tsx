// API keys: created, rotated and revoked. A secret is shown once.
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { ApiKey, ApiKeyMade } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import type { Action } from '../../parts/action.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { instantOf } from '../../parts/fields.tsx';
import { Panel } from '../../parts/layout.tsx';
import { SecretDialog } from '../../parts/secret.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { When } from '../../parts/values.tsx';
import { SettingsHead } from './head.tsx';

const isAlive = ({ revokedAt }: ApiKey): boolean => revokedAt === null;

const create: Action<null> = {
  name: 'apiKeys.create',
  label: 'New key',
  tone: 'primary',
  scope: 'keys:write',
  reason: 'required',
  lead: () => 'Its secret is shown once, right after it was created. A key cannot grant more than yours has.',
  fields: () => [
    { name: 'name', label: 'Name', kind: 'text', placeholder: 'checkout service', isRequired: true },
    {
      name: 'role',
      label: 'Role',
      kind: 'select',
      initial: 'viewer',
      isRequired: true,
      options: [
        ['viewer', 'viewer: sees'],
        ['operator', 'operator: sees and acts'],
        ['admin', 'admin: configures'],
      ],
    },
    {
      name: 'person',
      label: 'Person',
      kind: 'text',
      placeholder: 'ada@example.com',
      hint: 'Whose key it is: approvals need another person.',
    },
    { name: 'expiresAt', label: 'Ends', kind: 'instant' },
  ],
  run: (_, { name = '', role, person = '', expiresAt = '' }, options) =>
    api.apiKeys.create(
      {
        name: name.trim(),
        role: role as 'viewer' | 'operator' | 'admin',
        ...(person.trim() === '' ? {} : { person: person.trim() }),
        ...(expiresAt === '' ? {} : { expiresAt: instantOf(expiresAt) }),
      },
      options,
    ),
  done: () => 'Created the key.',
};

const rotate: Action<ApiKey> = {
  name: 'apiKeys.rotate',
  label: 'Rotate',
  scope: 'keys:write',
  reason: 'required',
  applies: isAlive,
  lead: ({ name }) =>
    `"${name}" gets a successor with a new secret. Both work during the overlap; then the old one ends.`,
  fields: () => [{ name: 'overlap', label: 'Overlap', kind: 'text', initial: '24h', hint: 'Such as 24h or P2D.' }],
  run: ({ id }, { overlap = '' }, options) =>
    api.apiKeys.rotate(id, overlap.trim() === '' ? {} : { overlap: overlap.trim() }, options),
  done: ({ name }) => `Rotated "${name}".`,
};

const revoke: Action<ApiKey> = {
  name: 'apiKeys.revoke',
  label: 'Revoke',
  tone: 'danger',
  scope: 'keys:write',
  reason: 'required',
  applies: isAlive,
  lead: ({ name, prefix }) =>
    `"${name}" (${prefix}…) stops working within seconds, and so does every session that was opened with it.`,
  run: ({ id }, _values, options) => api.apiKeys.revoke(id, options),
  done: ({ name }) => `Revoked "${name}".`,
};

export function Page(): ReactNode {
  const [made, setMade] = useState<ApiKeyMade | null>(null);
  const read = useList('apiKeys.list', [], () => api.apiKeys.list({ limit: 50 }));
  const keep = (answer: unknown): void => setMade(answer as ApiKeyMade);
  return (
    <>
      <SettingsHead
        current="Keys"
        lead="Programs and people sign in with keys. A viewer sees, an operator acts, an admin configures."
      >
        <ActionButton action={create} subject={null} onDone={keep} />
      </SettingsHead>
      <Panel flush>
        <ListTable
          caption="API keys"
          read={read}
          keyOf={({ id }) => id}
          empty="No key yet."
          columns={[
            {
              head: 'Key',
              cell: ({ name, prefix }) => (
                <>
                  <strong>{name}</strong> <span className="mono soft">{prefix}…</span>
                </>
              ),
            },
            { head: 'Role', cell: ({ role, scopes }) => role ?? scopes.join(', ') },
            { head: 'Person', wide: true, cell: ({ person }) => person ?? '–' },
            {
              head: 'State',
              cell: ({ revokedAt, expiresAt }) => (
                <State
                  of={revokedAt !== null ? 'revoked' : 'active'}
                  word={revokedAt !== null ? 'revoked' : expiresAt === null ? 'active' : 'ends'}
                />
              ),
            },
            { head: 'Last used', cell: ({ lastUsedAt }) => <When at={lastUsedAt} of="real" /> },
            { head: 'Ends', wide: true, cell: ({ expiresAt }) => <When at={expiresAt} of="real" /> },
            {
              head: 'Change',
              cell: (key) => (
                <span className="actions">
                  <ActionButton action={rotate} subject={key} onDone={keep} />
                  <ActionButton action={revoke} subject={key} />
                </span>
              ),
            },
          ]}
        />
      </Panel>
      {made !== null && <KeySecret of={made} onClose={() => setMade(null)} />}
    </>
  );
}

export function KeySecret({
  of: { name, secret },
  onClose,
}: {
  readonly of: ApiKeyMade;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <SecretDialog
      title={`The secret of "${name}"`}
      secret={secret}
      note="It is stored as a hash only."
      without="The key has the secret that you gave it."
      onClose={onClose}
    />
  );
}
