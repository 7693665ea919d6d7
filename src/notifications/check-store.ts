/** Channels, for checks. A deleted channel has no row. */
export const CHANNEL_ROWS = 'select tenant_id, id, disabled_reason from usance.notification_channels';

/** Of e-mail. */
export const SETTINGS_ROWS = 'select tenant_id, id from usance.email_settings';
