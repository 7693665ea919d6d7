/** Settings of notifications, which only the operator knows. */
export interface NotificationSettings {
  /** Public URL of the dashboard, for links in messages to operators. Default: messages have no links. */
  readonly dashboardUrl?: string | null;
}
