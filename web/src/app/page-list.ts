// The list of pages as plain data, for the router and for the browser tests.
export const PAGES = {
  overview: {
    path: '/',
    scope: 'ops:read',
    nav: { group: 'Now', label: 'Overview', icon: 'overview', key: 'o' },
  },
  approvals: {
    path: '/approvals',
    scope: 'payments:read',
    nav: { group: 'Now', label: 'Approvals', icon: 'approvals', key: 'v' },
  },
  payments: {
    path: '/payments',
    scope: 'payments:read',
    nav: { group: 'Money', label: 'Payments', icon: 'payments', key: 'p' },
  },
  payment: { path: '/payments/:id', scope: 'payments:read' },
} as const;

export type PageName = keyof typeof PAGES;
