// A caller's own transaction, handed in: an order and its delayed payment then commit or vanish together. We never
// begin, commit or roll it back; a verb runs in a savepoint inside it, so that a refusal leaves it usable. Verbs take turns
// (turns.ts): nothing else is sent between a verb's savepoint and its end.
import type { Journal } from '../kernel/index.ts';
import { SetupError, journaled } from '../kernel/index.ts';
import { runOnPg } from './pool.ts';
import type { Notes, Row, StatementHook, Transaction, Value } from './sql.ts';
import { schemaRewriter } from './sql.ts';
import type { Send } from './transaction.ts';
import { addNotes, asTransaction } from './transaction.ts';
import type { ForeignTransaction } from './turns.ts';
import { isPostgresJs } from './turns.ts';
import { sendDirect } from './turns-pg.ts';
import { SAVEPOINT, exempt } from './turns-postgres-js.ts';
import { encode } from './values.ts';

const TEXT_OID = 25;

export interface AdoptOptions {
  readonly schema?: string;
  readonly onStatement?: StatementHook;
  /** Hears what a savepoint did when it is released: whether the whole is then committed is not ours to see. */
  readonly onNotes?: ((notes: Notes) => void) | undefined;
  /** Of a dry run. */
  readonly journal?: Journal | undefined;
}

export function adoptTransaction(foreign: ForeignTransaction, options: AdoptOptions = {}): Transaction {
  const notes = new Map<string, number>();
  const tx = adopt(foreign, options, notes);
  return {
    ...tx,
    async savepoint(work) {
      const result = await tx.savepoint(work);
      if (notes.size > 0) options.onNotes?.(new Map(notes));
      notes.clear();
      return result;
    },
  };
}

function adopt(foreign: ForeignTransaction, options: AdoptOptions, notes: Map<string, number>): Transaction {
  requireOneConnection(foreign);
  const rewrite = schemaRewriter(options.schema ?? 'usance');
  const run = runnerFor(foreign);
  const send: Send = async <R extends Row>(text: string, values: readonly Value[]) => {
    await options.onStatement?.(text);
    return (await run(rewrite(text), values)) as R[];
  };
  const journal = options.journal ?? null;
  const tx = asTransaction(send, { begunAt: null, sendsAhead: false, notes, journal });
  if (!isPostgresJs(foreign) || typeof foreign.savepoint !== 'function') return tx;
  // Inside its own `begin`, postgres.js fails the transaction for any statement that failed, even one that was undone
  // by a savepoint it did not make itself. So it has to make them.
  const { savepoint } = foreign;
  return {
    ...tx,
    async savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      await options.onStatement?.('savepoint');
      const own = new Map<string, number>();
      const inside = (): Promise<unknown> => savepoint(SAVEPOINT, (inner) => work(adopt(inner, options, own)));
      const result = (await journaled(journal, inside)) as T;
      addNotes(notes, own);
      return result;
    },
  };
}

/** A whole pool has no transaction: each statement could go over another connection. */
function requireOneConnection(foreign: ForeignTransaction): void {
  if ('totalCount' in foreign && 'connect' in foreign)
    throw new SetupError(
      'within needs one client that is in a transaction, not a pool of pg: const client = await pool.connect(), then begin',
    );
  if (isPostgresJs(foreign) && 'begin' in foreign && 'end' in foreign && !('release' in foreign))
    throw new SetupError(
      'within needs the sql of a transaction, not that of the whole pool: sql.begin(async (transaction) => …)',
    );
}

function runnerFor(foreign: ForeignTransaction): (text: string, values: readonly Value[]) => Promise<Row[]> {
  if (isPostgresJs(foreign)) {
    return async (text, values) => {
      // Declared as text: left to itself postgres.js would serialise by the type the server infers, and turn the
      // text of a boolean or of a JSON value into something else.
      const typed = values.map((value) => foreign.typed(encode(value), TEXT_OID)) as never[];
      return [...(await exempt(foreign.unsafe(text, typed)))] as Row[];
    };
  }
  if ('query' in foreign && typeof foreign.query === 'function') {
    const direct = { query: (text: string, values?: unknown[]) => sendDirect(foreign, text, values) };
    return (text, values) => runOnPg(direct, text, values);
  }
  throw new SetupError('the transaction handed in is neither a pg client nor a postgres.js transaction');
}
