// Alerts that still hold, by the rest of the overview.
import type { Overview } from '../../../../src/client/index.ts';

/** The server clears an alert at its next check, up to 30 seconds after the last review has ended: without a payout in review that alert is over. */
export const stillCrossed = ({ alerts, inReview }: Pick<Overview, 'alerts' | 'inReview'>): Overview['alerts'] =>
  alerts.filter(({ kind }) => kind !== 'manual_review' || inReview.length > 0);
