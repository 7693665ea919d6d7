// Filters of lists. Their values are in the address.
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { useFilter } from '../app/router.tsx';
import { inWords } from './format.ts';

export function SelectFilter({
  name,
  label,
  options,
  words = inWords,
}: {
  readonly name: string;
  readonly label: string;
  readonly options: readonly string[];
  /** The option as a person reads it. */
  readonly words?: (option: string) => string;
}): ReactNode {
  const [value, set] = useFilter(name);
  return (
    <label className="filter">
      <span>{label}</span>
      <select value={value} onChange={(event) => set(event.target.value)}>
        <option value="">all</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {words(option)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Applied on Enter, and when the field is left. */
export function TextFilter({
  name,
  label,
  placeholder,
  type = 'text',
  onApply,
}: {
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
  readonly type?: 'text' | 'date';
  /** Takes the text for something else than the filter, such as an id that has a page. */
  readonly onApply?: (text: string) => boolean;
}): ReactNode {
  const [value, set] = useFilter(name);
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  const apply = (): void => {
    const text = draft.trim();
    if (text !== value && onApply?.(text) !== true) set(text);
  };
  return (
    <label className="filter">
      <span>{label}</span>
      <input
        type={type}
        value={draft}
        placeholder={placeholder}
        onChange={(event) => {
          setDraft(event.target.value);
          if (type === 'date') set(event.target.value);
        }}
        onBlur={apply}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply();
        }}
      />
    </label>
  );
}

export function Filters({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="filters" role="search" aria-label="Filters">
      {children}
    </div>
  );
}
