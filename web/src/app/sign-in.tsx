// The sign-in: an API key, or the link that `npm start` prints.
import type { FormEvent, ReactNode } from 'react';
import { useState } from 'react';
import { Note } from '../parts/layout.tsx';
import { say } from '../parts/toast.tsx';
import { sessionState } from '../api/session.ts';
import { signIn, switchTenant } from './session.tsx';

export function SignIn({
  ended,
  linkError,
}: {
  readonly ended: boolean;
  readonly linkError: string | null;
}): ReactNode {
  return (
    <main className="sign-in">
      <title>Sign in · usance</title>
      <div className="card">
        <p className="brand">
          <img src="/favicon.svg" alt="" width="28" height="28" />
          usance
        </p>
        <h1>Sign in</h1>
        {ended && (
          <Note tone="warn">Your session has ended: it expired, its key was revoked, or another tab signed out.</Note>
        )}
        {linkError !== null && <Note tone="bad">{linkError}</Note>}
        <KeyForm />
        <p className="soft small">
          The key stays on the server; this browser gets a cookie that ends after 30 idle minutes. Each sign-in is
          written to the audit log. No key at hand? <code>npm start</code> prints a link that signs you in once,{' '}
          <code>usance demo</code> another one to the tenant <code>demo-world</code>, and{' '}
          <code>usance api-keys create</code> makes a key.
        </p>
      </div>
    </main>
  );
}

/** Tenants are in the order of their sign-in: the last is the one that the key has just opened. */
async function showAdded(): Promise<void> {
  const tenant = sessionState().session?.tenants.at(-1);
  if (tenant === undefined) return;
  await switchTenant(tenant.id);
  say(`Added "${tenant.name}": this tab shows it now.`);
}

export function KeyForm({ onDone }: { readonly onDone?: () => void }): ReactNode {
  const [key, setKey] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    setSending(true);
    setError(null);
    const before = sessionState().session;
    const added = signIn({ key: key.trim() }).then(() => (before ? showAdded() : undefined));
    added.then(onDone, (refusal: unknown) => {
      setError(refusal instanceof Error ? refusal.message : String(refusal));
      setSending(false);
    });
  };
  return (
    <form onSubmit={send} className="stack">
      <label className="field">
        <span>API key</span>
        <input
          type="password"
          className="mono"
          name="key"
          autoComplete="current-password"
          spellCheck={false}
          autoFocus
          required
          value={key}
          onChange={(event) => setKey(event.target.value)}
          placeholder="usk_…"
          aria-describedby={error === null ? undefined : 'sign-in-error'}
        />
      </label>
      {error !== null && (
        <p id="sign-in-error" role="alert" className="refusal">
          {error}
        </p>
      )}
      <button type="submit" className="primary" disabled={isSending || key.trim() === ''}>
        {isSending ? 'Signing in …' : 'Sign in'}
      </button>
    </form>
  );
}
