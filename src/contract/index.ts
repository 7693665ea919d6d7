// The contract: every operation as data (what it takes, what it answers, an example, the handler). The HTTP server, the library, the
// client and the reference are all made from it.
export { API_VERSION, VERSION_HEADER, requireApiVersion } from './api-version.ts';
export {
  DRY_RUN_EXAMPLE,
  DRY_RUN_MEDIA_TYPE,
  DryRunAnswer,
  asksForDryRun,
  dryRunPlace,
  showDryRun,
  withDryRun,
  withoutApproval,
  writes,
} from './dry-run.ts';
export { FIELD_DEFAULTS } from './field-defaults.ts';
export { FIELD_DESCRIPTIONS } from './field-descriptions.ts';
export { fingerprintOf, keyOf } from './idempotency-key.ts';
export { PACKAGE_VERSION } from './package-version.ts';
export { perform, performDry } from './perform.ts';
export { readerOf, textsOf } from './read-request.ts';
export type { EventQuery } from './resources/events.ts';
export { exampleOfEvent, exampleOfWholeEvent, resourceOfEvent } from './event-examples.ts';
export {
  EVENT_STREAM,
  Event,
  EventFilter,
  eventText,
  readEventCursor,
  readEventFilter,
  showEvents,
  streamStart,
} from './resources/events.ts';
export { showExecution } from './resources/executions.ts';
export type { Call, Example, Idempotency, Method, Route } from './route.ts';
export { ROUTES } from './routes.ts';
export { Problem } from './schemas.ts';
export { checkOf } from './validate.ts';
export { hasVersion, ifMatchOf, takesIfMatch } from './versions.ts';
export { wireDetailOf, wireErrorOf, wireFieldsOf } from './refusals.ts';
export { commandOf, eventOf, nounOf, routesOf } from './names-rules.ts';
export type { Names } from './names-table.ts';
export { NAMES } from './names-table.ts';
export type { ResourceName } from './resource-names.ts';
export { RESOURCES } from './resource-names.ts';
export { OTHER_COMMANDS, OTHER_EVENTS } from './other-names.ts';
