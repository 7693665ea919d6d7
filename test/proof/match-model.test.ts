// A thousand random histories of events and jobs, from a seed that is printed.
import { beforeAll } from 'vitest';
import { matchModel } from '../jobs/match-model.ts';
import { SEED, banner } from './banner.ts';

const HISTORIES = 1_000;

beforeAll(() => banner('events and jobs matched at random', { seed: SEED, histories: HISTORIES }));
matchModel({ numRuns: HISTORIES, seed: SEED });
