/** Test tenants and their timelines, for checks of rows that say whose time they follow. */
export const CLOCKS_OF_TENANTS =
  'select tenant_id, timeline_id as clock_id from usance.test_clocks where id = timeline_id';

/** Pauses that are not lifted, for statements of other modules that read them with rows of their own. */
export const ACTIVE_PAUSES = 'select tenant_id, scope, value from usance.pauses where lifted_at is null';
