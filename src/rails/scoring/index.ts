export * from './explain.ts';
export * from './inputs.ts';
export * from './score.ts';
