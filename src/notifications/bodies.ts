// The bodies of messages, in the format of each service.
import type { ChannelKind } from './channel.ts';
import type { Message } from './message.ts';

const senderOf = ({ tenant }: Message): string => `usance · ${tenant.name}${tenant.isTest ? ' (test)' : ''}`;

/** Slack reads &, < and > as the beginning of links and mentions. https://docs.slack.dev/messaging/formatting-message-text */
const forSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** In a block of the type `mrkdwn` the three characters are escaped, and `*`, `_`, `~` and backticks would be formatting: plain text has neither. */
function slackBody(message: Message): object {
  const { text, link } = message;
  const open = link === null ? [] : [{ type: 'mrkdwn', text: `<${forSlack(encodeURI(link))}|Open in usance>` }];
  return {
    text: forSlack(`${senderOf(message)}: ${text}`),
    blocks: [
      { type: 'section', text: { type: 'plain_text', text, emoji: false } },
      { type: 'context', elements: [{ type: 'plain_text', text: senderOf(message), emoji: false }, ...open] },
    ],
  };
}

const MARKDOWN = /[\\*_~`|>[\]()#@<-]/g;
/** Characters that Discord formats, or that would begin a mention. */
const forDiscord = (text: string): string => text.replaceAll(MARKDOWN, String.raw`\$&`);

function discordBody(message: Message): object {
  const { text, link, event } = message;
  return {
    content: '',
    embeds: [
      {
        title: event.type,
        description: forDiscord(text),
        ...(link === null ? {} : { url: link }),
        footer: { text: senderOf(message) },
        timestamp: event.occurredAt,
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

const webhookBody = ({ text, tenant, link, event, counts }: Message): object => ({
  text,
  tenant: tenant.name,
  test: tenant.isTest,
  link,
  event: {
    id: event.id,
    type: event.type,
    resource: event.resource,
    resource_id: event.resourceId,
    occurred_at: event.occurredAt,
  },
  counts,
});

const BODIES: Readonly<Record<ChannelKind, (message: Message) => object>> = {
  slack: slackBody,
  discord: discordBody,
  webhook: webhookBody,
};

export const bodyOf = (kind: ChannelKind, message: Message): string => JSON.stringify(BODIES[kind](message));
