// Templates: texts with `{{placeholders}}`, and no logic. A value is inserted once and never read as a template itself; in HTML it is escaped,
// and in a subject it has no line breaks.
import { refuse } from '../../kernel/index.ts';
import { findRefusedHtml } from './html.ts';
import type { EmailTexts, Placeholder, Values } from './kind.ts';
import { PLACEHOLDERS } from './kind.ts';

/** Every repetition is bounded: without a bound the time of a search grows with the square of the length of what does not match. */
const NAMED = /\{\{[ \t\r\n]{0,20}([^{}\s]{1,100})[ \t\r\n]{0,20}\}\}/g;
const isPlaceholder = (name: string): name is Placeholder => Object.hasOwn(PLACEHOLDERS, name);

export const EMAIL_LIMITS = { subject: 200, text: 20_000, html: 50_000 };
/** The texts of a tenant. Refused with the name of what cannot be rendered. */
export function parseTexts({ subject, text, html }: EmailTexts): EmailTexts {
  const parts = { subject, text, html };
  for (const part of Object.keys(parts) as (keyof EmailTexts)[]) {
    const value: unknown = parts[part];
    if (typeof value !== 'string' || value.trim() === '' || value.length > EMAIL_LIMITS[part] || value.includes('\0'))
      return refuse('FIELD_INVALID/wrong_length', { param: part, min: 1, max: EMAIL_LIMITS[part] });
    for (const [, name = ''] of value.matchAll(NAMED))
      if (!isPlaceholder(name))
        return refuse('EMAIL_TEMPLATE_INVALID/placeholder', { param: part, name, known: Object.keys(PLACEHOLDERS) });
    if (/\{\{|\}\}/.test(value.replaceAll(NAMED, ''))) return refuse('EMAIL_TEMPLATE_INVALID/braces', { param: part });
  }
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001F\u007F]/.test(subject)) return refuse('EMAIL_TEMPLATE_INVALID/subject', { param: 'subject' });
  const refused = findRefusedHtml(html);
  if (refused !== null) return refuse('EMAIL_TEMPLATE_INVALID/html', { param: 'html', at: refused });
  return parts;
}

const fill = (template: string, values: Values, escape: (value: string) => string): string =>
  template.replaceAll(NAMED, (whole, name: string) => (isPlaceholder(name) ? escape(values[name]) : whole));

export const escapeHtml = (value: string): string =>
  value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** Without control characters: a line break would begin another header, or another line that looks like part of the message. */
const plain = (value: string): string => value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ');

export interface RenderedEmail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Both parts end with the link to unsubscribe, whatever the template is. */
export function render(
  texts: EmailTexts,
  values: Values,
  { locale, link }: { locale: string; link: string },
): RenderedEmail {
  const subject = fill(texts.subject, values, plain).slice(0, EMAIL_LIMITS.subject);
  const text = fill(texts.text, values, plain);
  const html = fill(texts.html, values, (value) => escapeHtml(plain(value)));
  const title = escapeHtml(subject);
  const [language = 'en'] = locale.split('-');
  return {
    subject,
    text: `${text.trimEnd()}\n\n-- \n${FOOTER}: ${link}\n`,
    html: [
      `<!doctype html>`,
      `<html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>`,
      `<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em; margin: 0 auto; padding: 1em">`,
      html,
      `<p style="clear: both; font-size: 0.8em; color: #555"><a href="${escapeHtml(link)}">${FOOTER}</a></p>`,
      `</body></html>`,
      '',
    ].join('\n'),
  };
}

const FOOTER = 'Unsubscribe from these e-mails';
