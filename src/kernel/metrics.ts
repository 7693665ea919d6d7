// Counters, gauges and histograms, and their text in the exposition format of Prometheus (0.0.4). Counting is an addition
// on a cell that is found once; everything else happens when metrics are read.
//
// A label multiplies what is kept and stored for ever after, so its values must be few: names from our own code, never
// something a caller wrote. A family that grows past its bound all the same counts what is new under "other".

export interface Series {
  /** The label values, in the order of the family's labels. */
  readonly labels: readonly string[];
  readonly value: number;
}

interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
}

export interface Counter extends Family {
  /** The cell of some label values; a caller that counts often keeps it. */
  cell(...labels: string[]): { add(by?: number): void };
  series(): Series[];
}

export interface Gauge extends Family {
  set(value: number, ...labels: string[]): void;
  /** Nothing is known at the moment: better no value than an old one. */
  clear(): void;
  series(): Series[];
}

export interface Histogram extends Family {
  cell(...labels: string[]): { observe(value: number, times?: number): void };
}

export interface Registry {
  counter(name: string, help: string, labels?: readonly string[]): Counter;
  gauge(name: string, help: string, labels?: readonly string[]): Gauge;
  /** `bounds`: the upper ends of the buckets, ascending; the last bucket has none. */
  histogram(name: string, help: string, bounds: readonly number[], labels?: readonly string[]): Histogram;
  readonly families: readonly Family[];
  text(): string;
}

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
export const MOST_SERIES = 1_000;
const OTHER = 'other';

export function createRegistry(): Registry {
  const families: (Family & { lines(): string[] })[] = [];
  const add = <F extends Family & { lines(): string[] }>(family: F): F => {
    families.push(family);
    return family;
  };
  return {
    families,
    counter: (name, help, labels = []) => add(counter({ name, type: 'counter', help, labels })),
    gauge: (name, help, labels = []) => add(gauge({ name, type: 'gauge', help, labels })),
    histogram: (name, help, bounds, labels = []) => add(histogram({ name, type: 'histogram', help, labels }, bounds)),
    text: () => families.flatMap((family) => [...head(family), ...family.lines()]).join('\n') + '\n',
  };
}

function counter(family: Family): Counter & { lines(): string[] } {
  const cells = cellsOf(family, () => {
    const cell = { value: 0, add: (by = 1): void => void (cell.value += by) };
    return cell;
  });
  // A counter without labels is there from the start: zero is an answer, and a rate needs it.
  if (family.labels.length === 0) cells.at([]);
  const series = (): Series[] => cells.all().map(([labels, { value }]) => ({ labels, value }));
  return {
    ...family,
    cell: (...labels) => cells.at(labels),
    series,
    lines: () => series().map(({ labels, value }) => line(family, '', labels, value)),
  };
}

function gauge(family: Family): Gauge & { lines(): string[] } {
  const cells = cellsOf(family, () => ({ value: 0 }));
  const series = (): Series[] => cells.all().map(([labels, { value }]) => ({ labels, value }));
  return {
    ...family,
    set: (value, ...labels) => void (cells.at(labels).value = value),
    clear: cells.clear,
    series,
    lines: () => series().map(({ labels, value }) => line(family, '', labels, value)),
  };
}

function histogram(family: Family, bounds: readonly number[]): Histogram & { lines(): string[] } {
  const cells = cellsOf(family, () => {
    const counts = new Float64Array(bounds.length + 1);
    // Consecutive values are mostly alike: the bucket of the last value is tried first.
    let at = 0;
    const fits = (value: number): boolean =>
      value <= (bounds[at] ?? Infinity) && (at === 0 || value > (bounds[at - 1] ?? Infinity));
    const cell = {
      counts,
      sum: 0,
      observe(value: number, times = 1): void {
        if (!fits(value)) {
          const found = bounds.findIndex((bound) => value <= bound);
          at = found < 0 ? bounds.length : found;
        }
        counts[at] = (counts[at] ?? 0) + times;
        cell.sum += value * times;
      },
    };
    return cell;
  });
  if (family.labels.length === 0) cells.at([]);
  const ends = [...bounds.map(String), '+Inf'];
  return {
    ...family,
    cell: (...labels) => cells.at(labels),
    lines: () =>
      cells.all().flatMap(([labels, { counts, sum }]) => {
        let below = 0;
        const buckets = ends.map((end, index) => {
          below += counts[index] ?? 0;
          return line(family, '_bucket', labels, below, end);
        });
        return [...buckets, line(family, '_sum', labels, sum), line(family, '_count', labels, below)];
      }),
  };
}

interface Cells<C> {
  at(labels: readonly string[]): C;
  all(): [readonly string[], C][];
  clear(): void;
}

function cellsOf<C>(family: Family, make: () => C): Cells<C> {
  const cells = new Map<string, { labels: readonly string[]; cell: C }>();
  const at = (labels: readonly string[]): C => {
    const name = labels.join('\0');
    const known = cells.get(name);
    if (known) return known.cell;
    if (cells.size >= MOST_SERIES && labels.some((label) => label !== OTHER)) return at(family.labels.map(() => OTHER));
    const cell = make();
    cells.set(name, { labels: [...labels], cell });
    return cell;
  };
  return {
    at,
    all: () => [...cells.values()].map(({ labels, cell }) => [labels, cell]),
    clear: () => cells.clear(),
  };
}

function head({ name, help, type }: Family): string[] {
  return [`# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`, `# TYPE ${name} ${type}`];
}

function line(family: Family, suffix: string, labels: readonly string[], value: number, le?: string): string {
  const pairs = family.labels.map((name, index) => `${name}="${escaped(labels[index] ?? '')}"`);
  if (le !== undefined) pairs.push(`le="${le}"`);
  const braces = pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
  return `${family.name}${suffix}${braces} ${numeral(value)}`;
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

function numeral(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
