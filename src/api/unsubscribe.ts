// The page behind the link to unsubscribe (RFC 8058). It needs no sign-in: the signed token is the right, and all it can do is to stop e-mail to one
// account. GET changes nothing, because mail filters open every link of an e-mail; POST, by the page or by the mail reader, does.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engine } from '../engine.ts';

const POLICY =
  "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; style-src 'unsafe-inline'";
/** `List-Unsubscribe=One-Click`, in either form encoding. */
const BODY_LIMIT = 4_096;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const page = (title: string, body: string): string =>
  [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${title}</title></head>`,
    `<body style="font-family: sans-serif; max-width: 36em; margin: 4em auto; padding: 0 1em"><h1>${title}</h1>${body}</body></html>`,
    '',
  ].join('\n');

const UNKNOWN = page(
  'This link is not valid',
  '<p>It is incomplete, or the sender does not exist any more. Use the link of the e-mail as it is.</p>',
);

export function addUnsubscribe(
  app: FastifyInstance,
  usance: Pick<Engine, 'unsubscribe'>,
  countStranger: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    countStranger(request, reply);
  const send = (reply: FastifyReply, status: number, html: string): FastifyReply =>
    reply
      .code(status)
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      .header('referrer-policy', 'no-referrer')
      .send(html);
  const tokenOf = ({ params }: FastifyRequest): string => (params as { readonly token?: string }).token ?? '';

  void app.register(async (own) => {
    own.removeAllContentTypeParsers();
    // What the body says makes no difference: the request is the confirmation.
    own.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, _body, done) => done(null));

    own.get('/unsubscribe/:token', { onRequest }, async (request, reply) => {
      const link = await usance.unsubscribe.look(tokenOf(request));
      if (!link) return send(reply, 404, UNKNOWN);
      const sender = escaped(link.sender);
      return send(
        reply,
        200,
        page(
          'Unsubscribe',
          `<p>Stop e-mail about payments from ${sender}?</p><form method="post"><button type="submit">Unsubscribe</button></form>`,
        ),
      );
    });

    own.post('/unsubscribe/:token', { onRequest }, async (request, reply) => {
      const link = await usance.unsubscribe.confirm(tokenOf(request));
      if (!link) return send(reply, 404, UNKNOWN);
      return send(
        reply,
        200,
        page('Unsubscribed', `<p>You get no more e-mail about payments from ${escaped(link.sender)}.</p>`),
      );
    });
  });
}
