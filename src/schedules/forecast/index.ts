export { lookAheadLoop, lookAheadOfClock } from './look-ahead.ts';
export type { LookAheadOptions } from './look-ahead.ts';
export { project } from './project.ts';
export type { Funds, Line, Flow, Projection, Shortfall } from './project.ts';
export { MOST_FORECAST_DAYS, forecastVerbs } from './verbs.ts';
export type { AssetForecast, Forecast, ForecastVerbs } from './verbs.ts';
