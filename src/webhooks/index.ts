export * from './signature.ts';
