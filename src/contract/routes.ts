// The whole contract, by operation.
import { keyRoutes } from './resources/api-keys.ts';
import { accountMoneyRoutes } from './resources/account-money.ts';
import { accountRoutes } from './resources/accounts.ts';
import { approvalRoutes } from './resources/approvals.ts';
import { assetRoutes } from './resources/assets.ts';
import { allowanceRoutes } from './resources/allowances.ts';
import { auditRoutes } from './resources/audit.ts';
import { bulkRoutes } from './resources/bulk.ts';
import { alertRoutes } from './resources/alerts.ts';
import { chainRoutes } from './resources/chains.ts';
import { controlRoomRoutes } from './resources/control-room.ts';
import { tenantStateRoutes } from './resources/tenant-state.ts';
import { deadLetterRoutes } from './resources/dead-letters.ts';
import { deliveryRoutes } from './resources/deliveries.ts';
import { cronRunRoutes } from './resources/cron-runs.ts';
import { eventRoutes } from './resources/events.ts';
import { executionRoutes } from './resources/executions.ts';
import { executionCapRoutes } from './resources/execution-cap.ts';
import { forecastRoutes } from './resources/forecast.ts';
import { holdRoutes } from './resources/holds.ts';
import { jobRoutes } from './resources/jobs.ts';
import { pauseRoutes } from './resources/operating.ts';
import { limitRoutes } from './resources/limits.ts';
import { outageRoutes } from './resources/outages.ts';
import { overviewRoutes } from './resources/overview.ts';
import { paymentRoutes } from './resources/payments.ts';
import { paymentIntentRoutes } from './resources/payment-intents.ts';
import { payoutRoutes } from './resources/payouts.ts';
import { planRoutes } from './resources/plans.ts';
import { processorRoutes } from './resources/processors.ts';
import { schedulePreviewRoutes } from './resources/schedule-preview.ts';
import { scheduleRoutes } from './resources/schedules.ts';
import { statementRoutes } from './resources/statement.ts';
import { subscriptionRoutes } from './resources/subscriptions.ts';
import { tenantRoutes } from './resources/tenants.ts';
import { testClockRoutes } from './resources/test-clocks.ts';
import { emailRoutes } from './resources/email.ts';
import { notificationChannelRoutes } from './resources/notification-channels.ts';
import { tokenIssuerRoutes } from './resources/token-issuers.ts';
import { payoutGuardRoutes } from './resources/payout-guards.ts';
import { treasuryWalletRoutes } from './resources/treasury-wallets.ts';
import { upcomingCalendarRoutes } from './resources/upcoming-calendar.ts';
import { quoteRoutes } from './resources/quotes.ts';
import { receiptRoutes } from './resources/receipts.ts';
import { webhookEndpointRoutes } from './resources/webhook-endpoints.ts';
import { whyRoutes } from './resources/why.ts';

export const ROUTES = {
  ...assetRoutes,
  ...accountRoutes,
  ...accountMoneyRoutes,
  ...statementRoutes,
  ...forecastRoutes,
  ...upcomingCalendarRoutes,
  ...holdRoutes,
  ...paymentRoutes,
  ...whyRoutes,
  ...receiptRoutes,
  ...approvalRoutes,
  ...bulkRoutes,
  ...schedulePreviewRoutes,
  ...scheduleRoutes,
  ...outageRoutes,
  ...planRoutes,
  ...subscriptionRoutes,
  ...allowanceRoutes,
  ...eventRoutes,
  ...jobRoutes,
  ...executionRoutes,
  ...processorRoutes,
  ...webhookEndpointRoutes,
  ...deliveryRoutes,
  ...auditRoutes,
  ...pauseRoutes,
  ...executionCapRoutes,
  ...quoteRoutes,
  ...payoutRoutes,
  ...paymentIntentRoutes,
  ...treasuryWalletRoutes,
  ...alertRoutes,
  ...payoutGuardRoutes,
  ...chainRoutes,
  ...cronRunRoutes,
  ...overviewRoutes,
  ...controlRoomRoutes,
  ...tenantStateRoutes,
  ...deadLetterRoutes,
  ...limitRoutes,
  ...keyRoutes,
  ...tokenIssuerRoutes,
  ...notificationChannelRoutes,
  ...emailRoutes,
  ...tenantRoutes,
  ...testClockRoutes,
};
