export * from './asset.ts';
export * from './clock.ts';
export * from './errors.ts';
export * from './id.ts';
export * from './json.ts';
export * from './loop.ts';
export * from './money.ts';
export * from './retry.ts';
