// HTTP: the server made from the contract, and its OpenAPI document.
export type { Problem, Route } from '../contract/index.ts';
export { ROUTES, showEvents } from '../contract/index.ts';
export { errorPages } from './reference/error-codes.ts';
export type { ErrorPage } from './reference/error-codes.ts';
export { openApiDocument } from './reference/openapi.ts';
export { createApi } from './server.ts';
export type { AnsweredRequest, Api, ApiOptions } from './server.ts';
