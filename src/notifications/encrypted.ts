// Every encrypted column of this module.
import type { EncryptedColumn } from '../secrets/index.ts';
import { ENCRYPTED_CHANNELS } from './channel.ts';
import { ENCRYPTED_EMAIL } from './email/settings.ts';

export const ENCRYPTED_NOTIFICATIONS: readonly EncryptedColumn[] = [...ENCRYPTED_CHANNELS, ...ENCRYPTED_EMAIL];
