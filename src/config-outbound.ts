// The variables of connections to the outside; a part of the table in config-variables.ts.
export const OUTBOUND_VARIABLES = [
  {
    name: 'USANCE_OUTBOUND_LOOPBACK',
    for: 'dev, api, worker, webhooks',
    default: null,
    says: '1 admits http URLs and loopback addresses as destinations of requests, and no other private address. Unset: https and the internet only; "usance dev" sets it for itself. Set it for "usance webhooks" beside "usance dev" too.',
    example: '1',
    notInProduction: true,
  },
  {
    name: 'USANCE_OUTBOUND_ALLOW',
    for: 'dev, api, worker, webhooks',
    default: null,
    says: 'Private networks to which requests of tenants may be sent, separated by commas. Loopback, link-local and metadata addresses stay refused. Unset: none.',
    example: '10.1.0.0/16, fd12:3456::/32',
  },
  {
    name: 'USANCE_EGRESS_PROXY',
    for: 'dev, api, worker, webhooks',
    default: null,
    says: 'HTTP proxy that opens the connections of requests of tenants (CONNECT), with user and password if it needs them. It is given addresses that usance has resolved and checked. Unset: direct connections.',
    example: 'http://proxy:3128',
  },
] as const;
