// `usance doctor` signs in to the mail server, and sends nothing.
import type { SmtpSettings } from '../outbound/index.ts';
import { createMailer, createOutbound } from '../outbound/index.ts';
import type { Finding } from './finding.ts';
import { fail, ok } from './finding.ts';

export async function examineMail(smtp: SmtpSettings): Promise<Finding> {
  const outbound = createOutbound();
  const mailer = createMailer(smtp, outbound);
  const { protocol, hostname, port } = new URL(smtp.url);
  const server = `${hostname}:${port === '' ? (protocol === 'smtps:' ? 465 : 587) : port}`;
  try {
    const trouble = await mailer.check();
    return trouble === null
      ? ok('mail server', `${server} accepts the sign-in; e-mail is from ${smtp.from}`)
      : fail(
          'mail server',
          `${server}: ${trouble}`,
          'correct USANCE_SMTP_URL, or see whether the mail server can be reached from here',
        );
  } finally {
    mailer.close();
    outbound.close();
  }
}
