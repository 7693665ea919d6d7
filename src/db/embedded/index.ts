export { bundledBinaries } from './binaries.ts';
export type { ServerBinaries } from './binaries.ts';
export { openEmbedded } from './server.ts';
export type { EmbeddedOptions, EmbeddedServer } from './server.ts';
