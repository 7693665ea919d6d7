// Describes an error for the log without its data. Messages quote data: PostgreSQL's the value that did not fit or the duplicate row,
// JSON.parse's the text that it could not read. So the log has the name of an error, its code, the constraint, and the stack frames;
// and the message only if it is our own.
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

/** The stack frames of an error, without its message. */
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
