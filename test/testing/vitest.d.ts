// The types of the matchers, as the README of src/testing declares them.
import type { UsanceMatchers } from '../../src/testing/index.ts';

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends UsanceMatchers {}
}
