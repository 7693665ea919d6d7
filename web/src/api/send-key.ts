// The idempotency key of a form. While its values stay, so does the key: what is sent again after a lost answer, or clicked twice, happens once.
import { useRef } from 'react';
import { newKey } from './client.ts';

export function useSendKey(): (values: object) => string {
  const last = useRef<{ readonly text: string; readonly key: string } | null>(null);
  return (values) => {
    const text = JSON.stringify(values);
    if (last.current?.text !== text) last.current = { text, key: newKey() };
    return last.current.key;
  };
}
