// Names in another case. The client (src/client/case.ts) has its own copy: it shares no code with the server.

/** `executeAt` is `execute_at`. */
export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `execute_at` is `executeAt`. */
export const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `runNow` is `run-now`. */
export const kebabCase = (name: string): string => snakeCase(name).replaceAll('_', '-');
