// Charts over time. A pointer, or the arrow keys, show the values of an instant in words; a table holds all values for screen readers.
import type { KeyboardEvent, ReactNode } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatInstant } from './format.ts';

export type Tone = 'accent' | 'good' | 'bad' | 'warn' | 'info';

export interface Line {
  readonly name: string;
  readonly tone: Tone;
  readonly values: readonly (number | null)[];
  readonly as?: 'line' | 'area' | 'bars' | 'steps';
}

interface ChartProps {
  readonly title: string;
  readonly times: readonly string[];
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  /** The largest value of the scale, if it is not that of the data. */
  readonly top?: number;
  readonly height?: number;
}

export function Chart({ title, times, lines, format, top, height = 150 }: ChartProps): ReactNode {
  const id = useId();
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [at, setAt] = useState<number | null>(null);
  const [theme, setTheme] = useState(0);
  const shape = lines.map(({ name, tone, as = 'line' }) => `${name}|${tone}|${as}`).join(';');
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const made = new uPlot(
      optionsOf(lines, format, top, height, element.clientWidth || 300, setAt),
      dataOf(times, lines),
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth || 300, height }));
    observer.observe(element);
    const repaint = (): void => setTheme((count) => count + 1);
    // The theme of the system can change while the page is open.
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    window.addEventListener('usance:theme', repaint);
    system.addEventListener('change', repaint);
    return () => {
      system.removeEventListener('change', repaint);
      window.removeEventListener('usance:theme', repaint);
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
    // The data is handed on below; a new plot is only made for other lines or colours.
  }, [shape, top, height, theme]);
  useEffect(() => plot.current?.setData(dataOf(times, lines)), [times, lines]);
  const step = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0 || times.length === 0) return;
    event.preventDefault();
    const next = Math.min(times.length - 1, Math.max(0, (at ?? (by > 0 ? -1 : times.length)) + by));
    const u = plot.current;
    const x = u?.data[0][next];
    if (u && x !== undefined) u.setCursor({ left: u.valToPos(x, 'x'), top: u.bbox.height / 4 / devicePixelRatio });
    setAt(next);
  };
  const shown = at === null ? undefined : times[at];
  return (
    <figure className="chart">
      <figcaption>
        <h3 id={id}>{title}</h3>
        <span className="legend small">
          {lines.map(({ name, tone, values }) => (
            <span key={name} className={tone}>
              {name}
              {at !== null && shown !== undefined && <b className="number"> {shownValue(values[at], format)}</b>}
            </span>
          ))}
          {shown !== undefined && <span className="soft number">{formatInstant(shown)}</span>}
        </span>
      </figcaption>
      <div
        className="plot"
        ref={host}
        role="img"
        aria-labelledby={id}
        tabIndex={0}
        onKeyDown={step}
        onBlur={() => setAt(null)}
      />
      <div className="visually-hidden">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              {lines.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times.map((time, index) => (
              <tr key={time}>
                <th scope="row">{formatInstant(time)}</th>
                {lines.map(({ name, values }) => (
                  <td key={name}>{shownValue(values[index], format)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

const shownValue = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? 'unknown' : format(value);

const dataOf = (times: readonly string[], lines: readonly Line[]): uPlot.AlignedData => [
  times.map((time) => Date.parse(time) / 1_000),
  ...lines.map(({ values }) => [...values]),
];

function optionsOf(
  lines: readonly Line[],
  format: (value: number) => string,
  top: number | undefined,
  height: number,
  width: number,
  onCursor: (index: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const axis: uPlot.Axis = {
    stroke: colour('soft'),
    font: '11px system-ui, sans-serif',
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height,
    // The last label is centred on the right end of the axis.
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: {
      // One point has an hour around it.
      x: { range: (_, low, high) => (low === high ? [low - HALF_HOUR, high + HALF_HOUR] : [low, high]) },
      y: {
        range: (_, low, high) => {
          const most = Math.max(top ?? 0, high ?? 0) || 1;
          const least = Math.min(0, low ?? 0);
          return [least, top === undefined ? most + (most - least) * 0.06 : Math.max(top, most)];
        },
      },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 24, space: 70, values: (_, splits) => timeLabels(splits) },
      {
        ...axis,
        size: (_, values) => 12 + 6.4 * Math.max(3, ...(values ?? []).map((value) => value.length)),
        space: 34,
        values: (_, splits) => splits.map(format),
      },
    ],
    series: [
      {},
      ...lines.map(({ name, tone, as = 'line' }): uPlot.Series => {
        const stroke = colour(tone);
        const bars = uPlot.paths.bars?.({ size: [0.7, 24], radius: 0.15 });
        const steps = uPlot.paths.stepped?.({ align: 1 });
        return {
          label: name,
          stroke,
          // A rate has no value where nothing ended: the line goes on to the next one.
          spanGaps: as === 'line',
          width: as === 'bars' ? 0 : 1.6,
          points: { show: ({ data }) => data[0].length < 3, size: 7 },
          ...(as === 'line' ? {} : { fill: as === 'bars' ? stroke : `${stroke}22` }),
          ...(as === 'bars' && bars ? { paths: bars } : {}),
          ...(as === 'steps' && steps ? { paths: steps } : {}),
        };
      }),
    ],
    hooks: { setCursor: [(u) => onCursor(u.cursor.idx ?? null)] },
  };
}

const HALF_HOUR = 1_800;

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const MINUTE = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Minutes within two days, else days. */
function timeLabels(splits: readonly number[]): string[] {
  const span = (splits.at(-1) ?? 0) - (splits[0] ?? 0);
  const format = span > 2 * 86_400 ? DAY : MINUTE;
  return splits.map((seconds) => format.format(new Date(seconds * 1_000)));
}
