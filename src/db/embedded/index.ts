export { bundledBinaries } from './binaries.ts';
export type { ServerBinaries } from './binaries.ts';
export { RUNTIME_USER } from './presence.ts';
export { openEmbedded, stopEmbedded } from './server.ts';
export type { EmbeddedOptions, EmbeddedServer } from './server.ts';
