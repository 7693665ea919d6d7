// Signing out, of this browser or of every browser of the key.
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { Note } from '../parts/layout.tsx';
import { signOut, useSession } from './session.tsx';

export function SignOut({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { key, tenants } = useSession();
  const [error, setError] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const leave = (everywhere: boolean): void => {
    setSending(true);
    setError(null);
    signOut({ everywhere }).catch((refusal: unknown) => {
      setError(refusal instanceof Error ? refusal.message : String(refusal));
      setSending(false);
    });
  };
  const names = tenants.map(({ name }) => `"${name}"`).join(', ');
  return (
    <Dialog title="Sign out" onClose={onClose}>
      <div className="stack">
        <p>
          You are signed in to {names} as "{key.person ?? key.name}" (<span className="mono">{key.prefix}…</span>).
        </p>
        <p className="soft">
          <em>Everywhere</em> ends each session of {tenants.length === 1 ? 'this key' : 'the keys of this session'} in
          all browsers within five seconds, for example after you left one signed in. The{' '}
          {tenants.length === 1 ? 'key still works' : 'keys still work'}: revoke a key that somebody else may have.
        </p>
        {error !== null && <Note tone="bad">You are still signed in: {error}</Note>}
        <div className="dialog-actions">
          <button type="button" disabled={isSending} onClick={() => leave(true)}>
            Sign out everywhere
          </button>
          <button type="button" className="primary" disabled={isSending} onClick={() => leave(false)}>
            Sign out
          </button>
        </div>
      </div>
    </Dialog>
  );
}
