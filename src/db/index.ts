export * from './describe.ts';
export * from './embedded/index.ts';
export * from './foreign.ts';
export * from './migrate.ts';
export * from './pool.ts';
export * from './rows.ts';
export * from './sql.ts';
export * from './unreachable.ts';
