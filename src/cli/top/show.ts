// A sample as lines of a terminal, and as a document.
import { formatAmount } from '../../kernel/index.ts';
import { aligned, bold, counted, dim, green, grouped, red, yellow } from '../screen.ts';
import type { Sample, Sum } from './sample.ts';

/** A loop that has not ended a run for so long does not run anywhere. */
const IDLE_MS = 60_000;
const SECOND_MS = 1_000;
const BARS = '▁▂▃▄▅▆▇█';

export function linesOf(sample: Sample): string[] {
  const { integrity, stops } = sample;
  return [
    `${bold('usance top')}  ${sample.tenant}  ${sample.at.toISOString().slice(0, 19).replace('T', ' ')} UTC  ${INTEGRITY[integrity.state]}`,
    ...stops.map((stop) => yellow(`! ${stop}`)),
    '',
    ...aligned(moneyOf(sample)),
    '',
    ...aligned([
      ['settled', `last hour ${grouped(sample.lastHour.settled)}`, `last 24 h ${grouped(sample.lastDay.settled)}`],
      ['failed', `last hour ${grouped(sample.lastHour.failed)}`, `last 24 h ${grouped(sample.lastDay.failed)}`],
      ['success', shareOf(sample.lastHour), shareOf(sample.lastDay)],
    ]),
    `  a minute  ${barsOf(sample.perMinute)}  ${dim(`last hour, at most ${Math.max(0, ...sample.perMinute)}${lateness(sample)}`)}`,
    '',
    bold('Backlog of all tenants'),
    ...(sample.backlog.length === 0 ? [dim('  not read: the database takes too long')] : aligned(backlogOf(sample))),
    '',
    bold('Loops'),
    ...loopsOf(sample),
  ];
}

const INTEGRITY: Readonly<Record<Sample['integrity']['state'], string>> = {
  ok: green('the books add up'),
  frozen: red('the books do not add up: an asset is frozen'),
  unknown: yellow('the books were not checked in ten minutes'),
};

function moneyOf({ waiting, nextDay, overdue, awaitingApproval, review, deadLetters }: Sample): string[][] {
  const next = waiting.nextDueAt === null ? '' : `next at ${waiting.nextDueAt.toISOString().slice(0, 19)}Z`;
  const late = overdue.count === 0 ? '' : `the oldest for ${durationOf(overdue.lateMs)}`;
  const letters = total(deadLetters.amounts) + deadLetters.executions;
  return [
    ['waiting', `${grouped(waiting.count)}${waiting.more ? '+' : ''}`, next],
    ['next 24 h', grouped(total(nextDay)), sums(nextDay)],
    ['overdue', alarm(overdue.count, yellow), [late, sums(overdue.amounts)].filter(Boolean).join(', ')],
    ['to approve', alarm(total(awaitingApproval), yellow), sums(awaitingApproval)],
    ['in review', `${alarm(review.count, yellow)}${review.more ? '+' : ''}`, ''],
    [
      'dead letters',
      alarm(letters, red),
      [sums(deadLetters.amounts), deadLetters.executions > 0 ? counted(deadLetters.executions, 'execution') : '']
        .filter(Boolean)
        .join(', '),
    ],
  ];
}

const alarm = (count: number, paint: (text: string) => string): string => (count === 0 ? '0' : paint(grouped(count)));

const total = (some: readonly Sum[]): number => some.reduce((sum, { count }) => sum + count, 0);
const sums = (some: readonly Sum[]): string => some.map(({ asset, amount }) => formatAmount(amount, asset)).join(' + ');

function shareOf({ settled, failed }: Sample['lastHour']): string {
  return settled + failed === 0 ? '–' : `${((100 * settled) / (settled + failed)).toFixed(1)} %`;
}

function barsOf(counts: readonly number[]): string {
  const most = Math.max(1, ...counts);
  return counts.map((count) => (count === 0 ? ' ' : BARS[Math.ceil((count / most) * BARS.length) - 1])).join('');
}

const lateness = ({ longestLateMs }: Sample): string =>
  longestLateMs === null ? '' : `; longest lateness ${durationOf(longestLateMs)}`;

function backlogOf({ backlog }: Sample): string[][] {
  return backlog.map(({ loop, count, oldestSeconds }) => [
    loop,
    alarm(count, yellow),
    count === 0 || oldestSeconds === null ? '' : `the oldest for ${durationOf(oldestSeconds * SECOND_MS)}`,
  ]);
}

const A_LINE = 4;

function loopsOf({ loops }: Sample): string[] {
  const cells = loops.flatMap(({ name, idleMs }) =>
    idleMs === null ? [] : [`${name} ${idleMs > IDLE_MS ? yellow(durationOf(idleMs)) : durationOf(idleMs)}`],
  );
  if (cells.length === 0)
    return [dim('  none has run yet: start "usance dev", or "usance worker" and "usance processor"')];
  const rows = Array.from({ length: Math.ceil(cells.length / A_LINE) }, (_, row) =>
    Array.from({ length: A_LINE }, (_cell, column) => cells[row * A_LINE + column] ?? ''),
  );
  return [...aligned(rows), dim('  since the last good run in any process')];
}

/** "850 ms", "12 s", "3 min", "5 h", "2 d". */
function durationOf(ms: number): string {
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / SECOND_MS);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

const shown = (some: readonly Sum[]): object[] =>
  some.map(({ asset, count, amount }) => ({ asset, count, amount: String(amount) }));

export function documentOf(sample: Sample): object {
  const { nextDay, overdue, awaitingApproval, deadLetters, ...rest } = sample;
  return {
    ...rest,
    nextDay: shown(nextDay),
    overdue: { ...overdue, amounts: shown(overdue.amounts) },
    awaitingApproval: shown(awaitingApproval),
    deadLetters: { ...deadLetters, amounts: shown(deadLetters.amounts) },
  };
}
