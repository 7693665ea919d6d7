// Search: an id of any kind, a reference, or the ref of an account.
import type { KeyboardEvent, ReactNode } from 'react';
import { useId, useState } from 'react';
import type { SearchHit } from '../../../src/client/index.ts';
import { api } from '../api/client.ts';
import { useRead } from '../api/queries.ts';
import { Dialog } from '../parts/dialog.tsx';
import { inWords } from '../parts/format.ts';
import { ReadError } from '../parts/loaded.tsx';
import { pageOf } from '../parts/values.tsx';
import { navigate } from './router.tsx';

export function Search({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useId();
  const wanted = text.trim();
  const read = useRead('search.get', [wanted], () => api.search.get({ q: wanted }).page(), {
    enabled: wanted.length > 1,
    keep: true,
  });
  const hits = (wanted.length > 1 ? (read.data?.data ?? []) : []).filter(({ id }) => pageOf(id) !== null);
  const chosen = hits[Math.min(at, hits.length - 1)];
  const open = (hit: SearchHit | undefined): void => {
    const page = pageOf(hit?.id ?? wanted);
    if (page === null) return;
    onClose();
    navigate(page);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') open(chosen);
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    setAt(Math.min(Math.max(0, hits.length - 1), Math.max(0, Math.min(at, hits.length - 1) + by)));
  };
  return (
    <Dialog title="Search" onClose={onClose} className="search">
      <input
        className="wide"
        type="search"
        role="combobox"
        aria-expanded={hits.length > 0}
        aria-controls={list}
        aria-activedescendant={chosen ? `${list}-${chosen.id}` : undefined}
        aria-label="Id, reference or account"
        placeholder="pay_…, order-1042, alice"
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      {read.error !== null && wanted.length > 1 && <ReadError read={read} />}
      <ul id={list} role="listbox" aria-label="Results" className="hits">
        {hits.map((hit, index) => (
          <li
            key={hit.id}
            id={`${list}-${hit.id}`}
            role="option"
            aria-selected={hit === chosen}
            onMouseEnter={() => setAt(index)}
            onClick={() => open(hit)}
          >
            <span className="kind">{inWords(hit.kind)}</span>
            <strong>{hit.title}</strong>
            <span className="soft">{hit.detail}</span>
          </li>
        ))}
      </ul>
      <p className="soft small" role="status">
        {wanted.length < 2
          ? 'An id of any kind, the reference of a payment, or the ref of an account. At least two characters.'
          : read.data && hits.length === 0 && read.error === null
            ? `Nothing has the id, reference or ref "${wanted}".`
            : ''}
      </p>
    </Dialog>
  );
}
