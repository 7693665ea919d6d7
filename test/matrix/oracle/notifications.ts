// Verbs on notification channels.
import type { Cell } from '../axes.ts';
import type { Code, Rule, Verdict } from './verdict.ts';
import { advancing, firstOf, scope } from './verdict.ts';

/** No test is sent by a disabled channel, and a deleted one is not there. */
export function channelVerdict(cell: Cell<'notification channel'>): Verdict {
  const state = ({ verb, state: at }: Cell<'notification channel'>): Code | null => {
    if (verb === 'createNotificationChannel') return null;
    if (at === 'deleted') return 'NOTIFICATION_CHANNEL_NOT_FOUND';
    return verb === 'testNotificationChannel' && at === 'disabled' ? 'NOTIFICATION_CHANNEL_DISABLED' : null;
  };
  return firstOf(cell, [scope, advancing, state] as readonly Rule<Cell<'notification channel'>>[]);
}
