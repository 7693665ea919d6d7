// `usance/testing`: a world for the tests of an application.
export type { EventRecorder } from './event-recorder.ts';
export type { JobRecorder } from './job-recorder.ts';
export type { MatcherResult, UsanceMatchers } from './matchers.ts';
export { usanceMatchers } from './matchers.ts';
export type { TestTenant, TestWorld, TestWorldOptions, WorldClock } from './world.ts';
export { createTestWorld } from './world.ts';
