// The sign-in: an API key, or the link that `npm start` prints.
import type { FormEvent, ReactNode } from 'react';
import { useState } from 'react';
import { Note } from '../parts/layout.tsx';
import { signIn } from './session.tsx';

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

export function KeyForm({ onDone }: { readonly onDone?: () => void }): ReactNode {
  const [key, setKey] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    setSending(true);
    setError(null);
    signIn({ key: key.trim() }).then(onDone, (refusal: unknown) => {
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
