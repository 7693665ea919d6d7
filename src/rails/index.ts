export * from './health/index.ts';
export * from './price.ts';
export * from './price-sources.ts';
export * from './rail.ts';
export * from './rpc-error.ts';
export * from './sandbox/index.ts';
export * from './scale.ts';
export * from './scoring/index.ts';
