// The small size of test/proof/subscription-lives.test.ts.
import { subscriptionLives } from './subscription-lives.ts';

subscriptionLives({ numRuns: 6 });
