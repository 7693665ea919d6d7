// HTTP: the contract as a table of routes, and the server made from it.
export type { Call, Example, Idempotency, Method, Route } from './contract.ts';
export { openApiDocument } from './reference/openapi.ts';
export { ROUTES } from './routes.ts';
export type { Problem } from './schemas.ts';
export { createApi } from './server.ts';
export type { AnsweredRequest, Api, ApiOptions } from './server.ts';
