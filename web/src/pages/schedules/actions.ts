// What an operator can do with a schedule.
import type { Schedule } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import type { Action } from '../../parts/action.tsx';
import { formatMoney } from '../../parts/format.ts';

const isOpen = ({ status }: Schedule): boolean => status === 'active' || status === 'paused';
const money = ({ amount, asset }: Schedule): string => formatMoney(amount, asset);

export const pause: Action<Schedule> = {
  name: 'schedules.pause',
  label: 'Pause',
  scope: 'payments:write',
  reason: 'body',
  isVersioned: true,
  applies: ({ status }) => status === 'active',
  lead: () => 'No run is made until the schedule is resumed. Runs that were made already stay.',
  run: ({ id }, { reason = '' }, options) => api.schedules.pause(id, { reason }, options),
  done: () => 'Paused.',
};

export const resume: Action<Schedule> = {
  name: 'schedules.resume',
  label: 'Resume',
  tone: 'primary',
  scope: 'payments:write',
  reason: 'body',
  isVersioned: true,
  applies: ({ status }) => status === 'paused',
  lead: ({ missed }) => `Runs are made again. For what was missed meanwhile, the rule of this schedule is "${missed}".`,
  run: ({ id }, { reason = '' }, options) => api.schedules.resume(id, { reason }, options),
  done: () => 'Resumed.',
};

export const trigger: Action<Schedule> = {
  name: 'schedules.trigger',
  label: 'Trigger',
  scope: 'payments:write',
  reason: 'required',
  isVersioned: true,
  applies: isOpen,
  lead: (schedule) =>
    `Makes one more payment of ${money(schedule)} now, beside the rule. The next run stays where it is.`,
  run: ({ id }, _values, options) => api.schedules.trigger(id, options),
  done: () => 'Triggered one run.',
};

export const backfill: Action<Schedule> = {
  name: 'schedules.backfill',
  label: 'Backfill',
  scope: 'payments:write',
  reason: 'required',
  isVersioned: true,
  applies: isOpen,
  lead: (schedule) => `Makes the runs of past slots that never became a payment, ${money(schedule)} each.`,
  fields: ({ zone }) => [
    {
      name: 'start',
      label: 'From',
      kind: 'text',
      placeholder: '2026-01-01',
      isRequired: true,
      hint: `Local date, or date and time, in ${zone}.`,
    },
    { name: 'end', label: 'Until', kind: 'text', placeholder: '2026-02-01', isRequired: true },
  ],
  run: ({ id }, { start = '', end = '' }, options) =>
    api.schedules.backfill(id, { start: start.trim(), end: end.trim() }, options),
  done: () => 'Backfilled.',
};

export const cancel: Action<Schedule> = {
  name: 'schedules.cancel',
  label: 'Cancel',
  tone: 'danger',
  scope: 'payments:write',
  reason: 'body',
  isVersioned: true,
  applies: isOpen,
  lead: () => 'The schedule ends for good: no further run is made.',
  run: ({ id }, { reason = '' }, options) => api.schedules.cancel(id, { reason }, options),
  done: () => 'Cancelled the schedule.',
};

export const SCHEDULE_ACTIONS: readonly Action<Schedule>[] = [resume, pause, trigger, backfill, cancel];
