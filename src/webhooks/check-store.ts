/** Endpoints, deleted ones included, for checks. */
export const ENDPOINT_ROWS = 'select tenant_id, id, disabled_reason, deleted_at from usance.webhook_endpoints';
