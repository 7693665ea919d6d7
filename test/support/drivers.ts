// Ways of having a transaction of one's own, one per driver that `within` accepts.
import pg from 'pg';
import postgres from 'postgres';
import type { ForeignTransaction } from '../../src/db/index.ts';

/** Thrown by the work of a transaction to roll it back. */
export class Undo extends Error {}

/** Runs the work in one transaction, and rolls it back when the work throws Undo. `run` sends one statement of the caller. */
export interface Driver {
  readonly name: string;
  open(url: string): Promise<{
    transaction(
      work: (tx: ForeignTransaction, run: (text: string) => Promise<unknown>) => Promise<void>,
    ): Promise<void>;
    close(): Promise<unknown>;
  }>;
}

const forgive = (error: unknown): void => {
  if (!(error instanceof Undo)) throw error;
};

export const DRIVERS: readonly Driver[] = [
  {
    name: 'a client of pg',
    async open(url) {
      const client = new pg.Client(url);
      await client.connect();
      return {
        async transaction(work) {
          await client.query('begin');
          const done = await work(client, (text) => client.query(text)).then(
            () => 'commit',
            (error: unknown) => {
              forgive(error);
              return 'rollback';
            },
          );
          await client.query(done);
        },
        close: () => client.end(),
      };
    },
  },
  {
    name: 'sql.begin of postgres.js',
    async open(url) {
      const sql = postgres(url, { max: 2, onnotice: () => undefined });
      return {
        transaction: async (work) => {
          await sql.begin((tx) => work(tx, (text) => tx.unsafe(text))).catch(forgive);
        },
        close: () => sql.end(),
      };
    },
  },
  {
    name: 'sql.reserve of postgres.js',
    async open(url) {
      const sql = postgres(url, { max: 2, onnotice: () => undefined });
      const reserved = await sql.reserve();
      return {
        async transaction(work) {
          await reserved.unsafe('begin');
          const done = await work(reserved, (text) => reserved.unsafe(text)).then(
            () => 'commit',
            (error: unknown) => {
              forgive(error);
              return 'rollback';
            },
          );
          await reserved.unsafe(done);
        },
        close: async () => {
          reserved.release();
          await sql.end();
        },
      };
    },
  },
];
