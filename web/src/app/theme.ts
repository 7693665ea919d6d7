// Light or dark: the choice of this browser, or of the system.
import { useState } from 'react';

export type Theme = 'light' | 'dark';

const ITEM = 'usance.theme';
const dark = window.matchMedia('(prefers-color-scheme: dark)');

const chosen = (): Theme | null => {
  const item = window.localStorage.getItem(ITEM);
  return item === 'light' || item === 'dark' ? item : null;
};
const current = (): Theme => chosen() ?? (dark.matches ? 'dark' : 'light');

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = current();
}

dark.addEventListener('change', applyTheme);

export function useTheme(): readonly [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(current);
  const toggle = (): void => {
    const next = theme === 'dark' ? 'light' : 'dark';
    window.localStorage.setItem(ITEM, next);
    setTheme(next);
    applyTheme();
    window.dispatchEvent(new Event('usance:theme'));
  };
  return [theme, toggle];
}
