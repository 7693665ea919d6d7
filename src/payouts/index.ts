export type { ChooseRoute, Rails, RouteChoice, RouteRequest } from './ports.ts';
