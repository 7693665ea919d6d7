// The keyboard: g and a letter opens a page, / searches, ? explains; j, k and Enter walk through a table.
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import type { NavItem } from './routes.tsx';
import { navigate } from './router.tsx';

const G_WINDOW_MS = 1_200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

export function useKeyboard(
  items: readonly NavItem[],
  search: () => void,
): readonly [boolean, (open: boolean) => void] {
  const [isHelpOpen, setHelpOpen] = useState(false);
  useEffect(() => {
    let gMs = -G_WINDOW_MS;
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) {
        event.preventDefault();
        return search();
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]')) return;
      const afterG = performance.now() - gMs < G_WINDOW_MS;
      gMs = event.key === 'g' && !afterG ? performance.now() : -G_WINDOW_MS;
      const page = afterG ? items.find(({ key }) => key === event.key) : undefined;
      if (page) return navigate(page.path);
      if (event.key === '/') {
        event.preventDefault();
        search();
      } else if (event.key === '?') setHelpOpen(true);
      else if (event.key === 'j' || event.key === 'k') stepRow(event.key === 'j' ? 1 : -1);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [items, search]);
  return [isHelpOpen, setHelpOpen];
}

/** Moves the focus to the next row of the table in which the focus is, or of the first table of the page. */
function stepRow(by: 1 | -1): void {
  const focused = document.activeElement?.closest('tr');
  const table = focused?.closest('table') ?? document.querySelector('main table.rows');
  if (!table) return;
  const rows = [...table.querySelectorAll<HTMLElement>('tbody tr[tabindex]')];
  const at = focused ? rows.indexOf(focused) : -1;
  const row = rows[at === -1 ? (by === 1 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))];
  row?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}

export function Help({
  items,
  onClose,
}: {
  readonly items: readonly NavItem[];
  readonly onClose: () => void;
}): ReactNode {
  const rows: readonly (readonly [string, string])[] = [
    ['/', 'Search by id, reference or account'],
    ['j k', 'Next and previous row of a table'],
    ['Enter', 'Open the row'],
    ['Esc', 'Close a dialog'],
    ['?', 'This help'],
    ...items.flatMap(({ key, label }) => (key === null ? [] : [[`g ${key}`, label] as const])),
  ];
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl className="keys">
        {rows.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
