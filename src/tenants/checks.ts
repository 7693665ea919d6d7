/** Test tenants and their clocks, for checks of rows that say whose time they follow. */
export const CLOCKS_OF_TENANTS = 'select tenant_id, id as clock_id from usance.test_clocks';
