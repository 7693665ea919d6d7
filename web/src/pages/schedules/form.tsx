// Creating and editing a schedule, with its next ten dates in words and in the chosen zone while it is written.
import type { FormEvent, ReactNode } from 'react';
import { useEffect, useState } from 'react';
import type { CallOptions, Rule, Schedule, SchedulePreviewParams } from '../../../../src/client/index.ts';
import { etagOf } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { readAgain, useRead } from '../../api/queries.ts';
import { useSendKey } from '../../api/send-key.ts';
import { Link, navigate } from '../../app/router.tsx';
import { useSession } from '../../app/session.tsx';
import type { Field, Values } from '../../parts/fields.tsx';
import { FieldInput, amountText, hereZone, initialValues, minorOf, troubleOf } from '../../parts/fields.tsx';
import { formatInstant, formatLocal, sentenceCase } from '../../parts/format.ts';
import { Note, PageHead, Panel } from '../../parts/layout.tsx';
import { Loaded, ProblemText, outcomeOf } from '../../parts/loaded.tsx';
import type { ReasonMode } from '../../parts/reason.ts';
import { reasonField, reasonOption, requestOf } from '../../parts/reason.ts';
import { say } from '../../parts/toast.tsx';
import { ruleOf, valuesOfRule } from './rule-values.ts';

export function NewPage(): ReactNode {
  const { tenant } = useSession();
  return <ScheduleForm schedule={null} defaultAsset={tenant.defaultAsset ?? 'USD/2'} />;
}

export function EditPage({ params }: { readonly params: Readonly<Record<string, string>> }): ReactNode {
  const id = params['id'] ?? '';
  const read = useRead('schedules.get', [id], () => api.schedules.get(id));
  return (
    <>
      {read.data === undefined && <PageHead title="Edit the schedule" back={['Schedule', `/schedules/${id}`]} />}
      <Loaded read={read}>
        {(schedule) => <ScheduleForm key={schedule.id} schedule={schedule} defaultAsset={schedule.asset} />}
      </Loaded>
    </>
  );
}

const FREQUENCIES = [
  ['DAILY', 'every day'],
  ['WEEKLY', 'every week'],
  ['MONTHLY', 'every month'],
  ['YEARLY', 'every year'],
  ['cron', 'a cron rule'],
  ['rrule', 'an RRULE'],
  ['everySeconds', 'a fixed period'],
] as const;

/** What the rule needs, by its kind. */
function ruleFields(kind: string): readonly Field[] {
  const every: Field = { name: 'every', label: 'Every nth', kind: 'number', placeholder: '1' };
  const time: Field = { name: 'time', label: 'At', kind: 'text', placeholder: '09:00' };
  const weekdays: Field = {
    name: 'weekdays',
    label: 'Weekdays',
    kind: 'text',
    placeholder: 'MO, TH',
    hint: 'MO to SU; in a month also 2TU or -1FR.',
  };
  const days: Field = { name: 'daysOfMonth', label: 'Days of the month', kind: 'text', placeholder: '1, 15, last' };
  const months: Field = { name: 'months', label: 'Months', kind: 'text', placeholder: '1, 7' };
  if (kind === 'cron')
    return [{ name: 'cron', label: 'Cron', kind: 'text', placeholder: '0 9 * * 1-5', isRequired: true }];
  if (kind === 'rrule')
    return [
      { name: 'rrule', label: 'RRULE', kind: 'long', placeholder: 'FREQ=MONTHLY;BYMONTHDAY=-1', isRequired: true },
    ];
  if (kind === 'everySeconds')
    return [{ name: 'everySeconds', label: 'Seconds', kind: 'number', placeholder: '3600', isRequired: true }];
  if (kind === 'DAILY') return [every, time];
  if (kind === 'WEEKLY') return [every, weekdays, time];
  return kind === 'MONTHLY' ? [every, days, weekdays, time] : [every, months, days, weekdays, time];
}

function moneyFields(schedule: Schedule | null, asset: string): readonly Field[] {
  const amount: Field = {
    name: 'amount',
    label: 'Amount',
    kind: 'amount',
    asset,
    isRequired: true,
    ...(schedule === null ? {} : { initial: amountText(schedule.amount, schedule.asset) }),
  };
  if (schedule !== null) return [amount];
  return [
    { name: 'from', label: 'From', kind: 'text', placeholder: 'alice', isRequired: true },
    { name: 'to', label: 'To', kind: 'text', placeholder: 'bookshop', isRequired: true },
    { name: 'asset', label: 'Asset', kind: 'text', initial: asset, isRequired: true },
    amount,
    { name: 'reference', label: 'Reference', kind: 'text' },
  ];
}

const POLICIES: readonly Field[] = [
  {
    name: 'missed',
    label: 'Missed runs',
    kind: 'select',
    initial: 'last',
    isRequired: true,
    options: [
      ['last', 'make up the last one'],
      ['skip', 'skip them'],
      ['all', 'make up all of them'],
    ],
  },
  {
    name: 'afterFailure',
    label: 'After a failure for good',
    kind: 'select',
    initial: 'continue',
    isRequired: true,
    options: [
      ['continue', 'go on'],
      ['pause', 'pause'],
      ['expire', 'end'],
    ],
  },
];

function ScheduleForm({
  schedule: given,
  defaultAsset,
}: {
  readonly schedule: Schedule | null;
  readonly defaultAsset: string;
}): ReactNode {
  // The version that the fields show. The page reads the schedule again meanwhile, and a change by another person must not be undone.
  const [schedule] = useState(given);
  const timing: readonly Field[] = [
    { name: 'zone', label: 'Time zone', kind: 'text', initial: schedule?.zone ?? hereZone(), isRequired: true },
    {
      name: 'start',
      label: 'Start',
      kind: 'text',
      placeholder: '2026-12-01',
      ...(schedule ? { initial: schedule.start } : {}),
      hint: 'A local date, or date and time.',
    },
    {
      name: 'until',
      label: 'Until',
      kind: 'text',
      placeholder: 'no end',
      ...(schedule?.until ? { initial: schedule.until } : {}),
    },
  ];
  // An edit can change what moves.
  const mode: ReasonMode = schedule === null ? 'optional' : 'required';
  const why = reasonField(mode);
  const [values, setValues] = useState<Values>(() => ({
    ...initialValues([...moneyFields(schedule, defaultAsset), ...timing, ...POLICIES, why]),
    ...(schedule ? { missed: schedule.missed, afterFailure: schedule.afterFailure } : {}),
    ...valuesOfRule(schedule?.rule ?? { frequency: 'MONTHLY' }),
  }));
  const [error, setError] = useState<unknown>(null);
  const asset = schedule?.asset ?? values['asset'] ?? defaultAsset;
  const fields = [...moneyFields(schedule, asset), ...ruleFields(values['kind'] ?? ''), ...timing, ...POLICIES, why];
  const trouble = troubleOf(fields, values);
  const input = (field: Field): ReactNode => (
    <FieldInput
      key={field.name}
      field={field}
      value={values[field.name] ?? ''}
      onChange={(value) => setValues({ ...values, [field.name]: value })}
    />
  );
  const [isSending, setSending] = useState(false);
  const keyOf = useSendKey();
  const save = (event: FormEvent): void => {
    event.preventDefault();
    setError(null);
    setSending(true);
    const idempotencyKey = keyOf(requestOf(mode, values));
    saved(schedule, values, asset, { ...reasonOption(mode, values), idempotencyKey })
      .then(({ id }) => {
        say(schedule === null ? 'Created the schedule.' : 'Saved the schedule.');
        readAgain();
        navigate(`/schedules/${id}`);
      }, setError)
      .finally(() => setSending(false));
  };
  const title = schedule === null ? 'New schedule' : 'Edit the schedule';
  return (
    <>
      <PageHead
        title={title}
        back={schedule === null ? ['Schedules', '/schedules'] : ['Schedule', `/schedules/${schedule.id}`]}
        {...(schedule ? { lead: sentenceCase(schedule.summary) } : {})}
      />
      <div className="split">
        <Panel>
          <form
            className="stack"
            onSubmit={save}
            data-action-form={schedule === null ? 'schedules.create' : 'schedules.update'}
          >
            <fieldset>
              <legend>Money</legend>
              <div className="fields">{moneyFields(schedule, asset).map(input)}</div>
            </fieldset>
            <fieldset>
              <legend>Rule</legend>
              <div className="fields">
                {input({ name: 'kind', label: 'It runs', kind: 'select', options: FREQUENCIES, isRequired: true })}
                {ruleFields(values['kind'] ?? '').map(input)}
              </div>
              <div className="fields">{timing.map(input)}</div>
            </fieldset>
            <fieldset>
              <legend>When something goes wrong</legend>
              <div className="fields">{POLICIES.map(input)}</div>
            </fieldset>
            {input(why)}
            {error !== null && (
              <Note tone="bad">
                {outcomeOf(error)} <ProblemText error={error} />
              </Note>
            )}
            <div className="dialog-actions">
              <span className="soft small">{trouble}</span>
              <Link to={schedule === null ? '/schedules' : `/schedules/${schedule.id}`} className="button">
                Not now
              </Link>
              <button type="submit" className="primary" disabled={isSending || trouble !== null}>
                {schedule === null ? 'Create the schedule' : 'Save the schedule'}
              </button>
            </div>
          </form>
        </Panel>
        <DatesPreview
          values={values}
          isReady={troubleOf([...ruleFields(values['kind'] ?? ''), ...timing], values) === null}
        />
      </div>
    </>
  );
}

async function saved(
  schedule: Schedule | null,
  values: Values,
  asset: string,
  options: CallOptions,
): Promise<Schedule> {
  const amount = minorOf(values['amount'] ?? '', asset) ?? '';
  const { rule, zone, start, until } = timingOf(values);
  const policies = {
    missed: values['missed'] as Schedule['missed'],
    afterFailure: values['afterFailure'] as Schedule['afterFailure'],
  };
  if (schedule === null) {
    return api.schedules.create(
      {
        from: values['from'] ?? '',
        to: values['to'] ?? '',
        asset,
        amount,
        ...(values['reference'] ? { reference: values['reference'] } : {}),
        ...policies,
        rule,
        ...(zone === undefined ? {} : { zone }),
        ...(start === undefined ? {} : { start }),
        ...(until === undefined ? {} : { until }),
      },
      options,
    );
  }
  // Only what was changed: a rule that is sent again is a new rule.
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
  return api.schedules.update(
    schedule.id,
    {
      ...(amount === schedule.amount ? {} : { amount }),
      ...(policies.missed === schedule.missed ? {} : { missed: policies.missed }),
      ...(policies.afterFailure === schedule.afterFailure ? {} : { afterFailure: policies.afterFailure }),
      ...(isSame(rule, ruleOf(valuesOfRule(schedule.rule))) ? {} : { rule }),
      ...(zone === undefined || zone === schedule.zone ? {} : { zone }),
      ...(start === undefined || start === schedule.start ? {} : { start }),
      ...((until ?? null) === schedule.until ? {} : { until: until ?? null }),
    },
    { ...options, ifMatch: etagOf(schedule) },
  );
}

function timingOf(values: Values): { readonly rule: Rule } & Pick<SchedulePreviewParams, 'zone' | 'start' | 'until'> {
  const given = (name: string): Readonly<Record<string, string>> => {
    const value = (values[name] ?? '').trim();
    return value === '' ? {} : { [name]: value };
  };
  return { rule: ruleOf(values), ...given('zone'), ...given('start'), ...given('until') };
}

const PREVIEW_AFTER_MS = 300;

/** Asks the server, which knows the calendar of the zone, a moment after the last key. */
function DatesPreview({ values, isReady }: { readonly values: Values; readonly isReady: boolean }): ReactNode {
  const params: SchedulePreviewParams = { ...timingOf(values), limit: 10 };
  const text = JSON.stringify(params);
  const [asked, setAsked] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), PREVIEW_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const read = useRead(
    'schedules.preview',
    [asked],
    () => api.schedules.preview(JSON.parse(asked) as SchedulePreviewParams),
    { enabled: isReady },
  );
  return (
    <Panel title="The next ten dates">
      {isReady ? (
        <div aria-live="polite">
          <Loaded read={read}>
            {({ summary, zone, runs }) => (
              <>
                <p>
                  <strong>{sentenceCase(summary)}</strong>
                </p>
                <ol className="dates">
                  {runs.map(({ slot, local, at }) => (
                    <li key={slot}>
                      {formatLocal(local)}
                      {zone !== hereZone() && <span className="soft small"> here {formatInstant(at)}</span>}
                    </li>
                  ))}
                </ol>
                <p className="soft small">In {zone}.</p>
              </>
            )}
          </Loaded>
        </div>
      ) : (
        <p className="soft">Complete the rule to see its dates.</p>
      )}
    </Panel>
  );
}
