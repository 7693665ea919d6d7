import type { ReactNode } from 'react';
import { Link } from '../../app/router.tsx';
import { formatCount } from '../../parts/format.ts';

/** One number that leads to its list. */
export function Tile({
  label,
  to,
  value,
  suffix = '',
  tone,
  note,
}: {
  readonly label: string;
  readonly to: string;
  readonly value: number;
  readonly suffix?: string;
  readonly tone?: 'warn' | 'bad' | undefined;
  readonly note: ReactNode;
}): ReactNode {
  return (
    <Link to={to} className={tone === undefined ? 'tile' : `tile ${tone}`}>
      <span className="label">{label}</span>
      <span className="value number">
        {formatCount(value)}
        {suffix}
      </span>
      <span className="note-line small">{note}</span>
    </Link>
  );
}
