// Encryption of stored secrets.
import { retryable, unprocessable, withStatus } from './entry.ts';

export const SECRETS_ERRORS = {
  ENCRYPTION_KEY_MISSING: retryable(
    unprocessable({
      title: 'The server has no encryption key',
      detail:
        'the server has no encryption key: the operator has to set USANCE_ENCRYPTION_KEY before this can be stored',
      cause:
        'Contacts of accounts, secrets and headers of webhook endpoints, URLs and secrets of notification channels, and secrets of links in e-mails are stored only encrypted, and the server was started without a key.',
      remedy:
        'The operator prints a key with `usance encryption-key`, sets it as `USANCE_ENCRYPTION_KEY` for every process and starts them again. An embedded store outside production makes its own key.',
    }),
  ),
  ENCRYPTION_KEY_UNKNOWN: retryable(
    withStatus(503)({
      title: 'The server has another encryption key than the store',
      detail: {
        not_here:
          'a stored value is encrypted with the key {key}, which this server does not have; the operator has to restart it with that key',
        replaced:
          'the encryption key of this server was replaced; the operator has to restart it with the key that the store has now',
      },
      example: ['not_here', { key: '1a2b3c4d' }],
      cause:
        'The encryption key was replaced while this server was running: it cannot read values of the new key, and the store takes no more values of the old one.',
      remedy:
        'Send the request again later. The operator restarts the server with the new key as `USANCE_ENCRYPTION_KEY` and the old one as `USANCE_ENCRYPTION_KEY_PREVIOUS`.',
    }),
  ),
};
