// A strict reader of the text format 0.0.4 of Prometheus: what it does not know, it throws at. Stricter than Prometheus itself
// in what the format only recommends: help and type before every family, once, families in one piece, no series twice,
// counters that end in _total and are never negative, histograms whose buckets add up.

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface MetricFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: Sample[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const PAIR = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;
const VALUE = /^(?:[+-]Inf|NaN|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)$/;

export function parseMetrics(text: string): Map<string, MetricFamily> {
  if (!text.endsWith('\n')) throw new Error('the text does not end with a line feed');
  const families = new Map<string, MetricFamily>();
  const seen = new Set<string>();
  let current: MetricFamily | null = null;
  let help: { name: string; text: string } | null = null;
  for (const line of text.slice(0, -1).split('\n')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword === 'HELP') {
      if (!NAME.test(name)) throw new Error(`no name: ${line}`);
      help = { name, text: rest };
    } else if (keyword === 'TYPE') {
      if (help?.name !== name) throw new Error(`a type without its help before it: ${line}`);
      if (families.has(name)) throw new Error(`a family twice: ${line}`);
      if (!/^(counter|gauge|histogram)$/.test(rest)) throw new Error(`no type: ${line}`);
      if (rest === 'counter' && !name.endsWith('_total')) throw new Error(`a counter without _total: ${name}`);
      families.set(name, (current = { name, type: rest, help: help.text, samples: [] }));
    } else {
      if (!current) throw new Error(`a sample before any family: ${line}`);
      current.samples.push(readSample(line, current, seen));
    }
  }
  for (const family of families.values()) if (family.type === 'histogram') checkHistogram(family);
  return families;
}

function readSample(line: string, family: MetricFamily, seen: Set<string>): Sample {
  const [, name = '', labelText, value = ''] = SAMPLE.exec(line) ?? [];
  if (!VALUE.test(value)) throw new Error(`no sample: ${line}`);
  const suffixes = family.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
  if (!suffixes.some((suffix) => name === family.name + suffix)) {
    throw new Error(`a sample outside its family ${family.name}: ${line}`);
  }
  const labels = readLabels(labelText, line);
  const key = `${name} ${sorted(labels)}`;
  if (seen.has(key)) throw new Error(`a series twice: ${line}`);
  seen.add(key);
  const number = value.endsWith('Inf') ? (value.startsWith('-') ? -Infinity : Infinity) : Number(value);
  if (family.type === 'counter' && !(number >= 0)) throw new Error(`a counter below zero: ${line}`);
  return { name, labels, value: number };
}

function readLabels(text: string | undefined, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  if (text === undefined) return labels;
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < text.length) {
    const [, name = '', value = '', end] = PAIR.exec(text) ?? [];
    if (name === '' || name in labels || (end === ',' && PAIR.lastIndex === text.length)) {
      throw new Error(`labels that cannot be read: ${line}`);
    }
    labels[name] = value.replaceAll(/\\(["\\n])/g, (_all, one: string) => (one === 'n' ? '\n' : one));
  }
  return labels;
}

function checkHistogram({ name, samples }: MetricFamily): void {
  const series = Map.groupBy(samples, ({ labels: { le: _le, ...rest } }) => JSON.stringify(rest));
  for (const [labels, group] of series) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    const ends = buckets.map(({ labels: { le = '' } }) => (le === '+Inf' ? Infinity : Number(le)));
    const ascending = (values: readonly number[], strictly: boolean): boolean =>
      values.every(
        (value, at) => at === 0 || (strictly ? value > (values[at - 1] ?? 0) : value >= (values[at - 1] ?? 0)),
      );
    const count = group.find((sample) => sample.name === `${name}_count`)?.value;
    const sound =
      ascending(ends, true) &&
      ends.at(-1) === Infinity &&
      ascending(
        buckets.map(({ value }) => value),
        false,
      ) &&
      buckets.at(-1)?.value === count &&
      group.some((sample) => sample.name === `${name}_sum`);
    if (!sound) throw new Error(`a histogram that does not add up: ${name} ${labels}`);
  }
}

/** The value of one series; what is not there is undefined. */
/** Over every label. */
export function totalOf(text: string, name: string): number | undefined {
  const samples = [...parseMetrics(text).values()]
    .flatMap((family) => family.samples)
    .filter((one) => one.name === name);
  return samples.length === 0 ? undefined : samples.reduce((sum, { value }) => sum + value, 0);
}

export function valueOf(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
  const wanted = sorted(labels);
  return [...parseMetrics(text).values()]
    .flatMap(({ samples }) => samples)
    .find((sample) => sample.name === name && sorted(sample.labels) === wanted)?.value;
}

const sorted = (labels: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));
