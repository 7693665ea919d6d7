// Two hundred random lives of subscriptions, from a seed that is printed.
import { beforeAll } from 'vitest';
import { subscriptionLives } from '../schedules/subscription-lives.ts';
import { SEED, banner } from './banner.ts';

const LIVES = 200;

beforeAll(() => banner('lives of subscriptions', { seed: SEED, lives: LIVES }));
subscriptionLives({ numRuns: LIVES, seed: SEED });
