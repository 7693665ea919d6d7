// What may be said of an error without saying what was in it. A message quotes: PostgreSQL's the value that did not fit or the
// row that was there twice, JSON.parse's the text it stumbled over. So for the log an error is what it is called, the code it
// carries, which constraint, and where it was thrown; words only where they are our own.
import { Refusal } from './errors/index.ts';

const OUR_OWN = ['SetupError', 'BrokenInvariant', 'CommitUnknown'];
/** The driver's own, which quote nothing. */
const DRIVER = /^(Connection terminated[a-z ]*|timeout exceeded when trying to connect|timeout expired)$/i;
const NAME = /^[A-Za-z0-9_]{1,80}$/;

export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `something that is no error (${typeof error})`;
  const because = error.cause instanceof Error ? `, because of ${describeError(error.cause)}` : '';
  if (error instanceof Refusal) return error.code;
  if (OUR_OWN.includes(error.name)) return `${error.name}: ${error.message}${because}`;
  const [code, constraint, syscall] = ['code', 'constraint', 'syscall'].map((name) => fieldOf(error, name));
  const words = DRIVER.test(error.message) ? `: ${error.message}` : '';
  return (
    [NAME.test(error.name) ? error.name : 'Error', syscall, code, constraint && `(${constraint})`]
      .filter((part) => part !== undefined && part !== '')
      .join(' ') +
    words +
    because
  );
}

/** Where it was thrown, without what it said. */
export function framesOf(error: unknown): string {
  if (!(error instanceof Error) || error.stack === undefined) return '';
  const said = error.stack.indexOf(error.message);
  const rest = said < 0 ? error.stack : error.stack.slice(said + error.message.length);
  return rest
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}

function fieldOf(error: object, name: string): string | undefined {
  const value = (error as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' && NAME.test(value) ? value : undefined;
}
