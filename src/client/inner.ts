// The parts of the client that the library and the commands are built from. They are not public.
export { fromWire, toWire } from './case.ts';
export type { Operation } from './client.ts';
export { rememberETag } from './etag.ts';
export { followBlocks } from './follow.ts';
export type { BlockOptions } from './follow.ts';
export { createPages } from './pages.ts';
export { OPERATIONS } from './schema.ts';
