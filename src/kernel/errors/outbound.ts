// URLs of tenants that usance would send requests to.
import { invalid } from './entry.ts';

export const OUTBOUND_ERRORS = {
  URL_REFUSED: invalid({
    title: 'No request can be sent to the URL',
    detail: {
      not_a_url:
        '{param} must be an absolute https URL of at most {max} printable ASCII characters, such as "https://example.com/hooks"',
      scheme: '{param} must begin with https://',
      scheme_of_development: '{param} must begin with https:// or http://',
      credentials: '{param} must not have a user or a password',
      port: '{param} has a port that is reserved for a protocol other than HTTP',
      host: '{param} has a host that is no name of DNS',
      local_name: '{param} names this machine; it must name a host on the internet',
      address: '{param} has {kind}, to which no request is sent',
    },
    example: ['address', { param: 'url', kind: 'an address of a private network' }],
    cause:
      'Requests to URLs of tenants are sent only over https, and only to addresses of the internet. Loopback, private, link-local, metadata and reserved addresses are refused in every spelling.',
    remedy:
      'Use a public https URL. For development, `usance dev` admits http and loopback addresses (`USANCE_OUTBOUND_LOOPBACK`); the operator can admit private networks with `USANCE_OUTBOUND_ALLOW`.',
  }),
};
