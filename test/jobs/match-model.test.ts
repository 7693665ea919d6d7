import { matchModel } from './match-model.ts';

matchModel({ numRuns: 12 });
