// Templates of e-mails: what their HTML may have, and that reading one takes no longer than its length explains.
import { describe, expect, test } from 'vitest';
import { EMAIL_LIMITS, parseTexts, render } from '../../src/notifications/email/template.ts';
import { KINDS } from '../../src/notifications/email/kinds/index.ts';
import { refusedWith } from '../support/refusal.ts';

const GOOD = { subject: 'x', text: 'x', html: '<p>x</p>' };
const VALUES = {
  amount: '$1',
  date: 'today',
  payer: 'Eve',
  payee: 'Bob',
  recipient: 'Bob',
  payment_id: 'pay_1',
  reason: '',
  sender: 'Shop',
};
const parse = (change: Partial<typeof GOOD>): string => refusedWith(() => parseTexts({ ...GOOD, ...change }));

const upTo = (length: number, ...pieces: readonly string[]): string => {
  const [head = '', body = '', tail = ''] = pieces;
  return head + body.repeat(Math.floor((length - head.length - tail.length) / body.length)) + tail;
};

/** Strings that made the expressions of before try every beginning with every end. */
const WORST: readonly (readonly string[])[] = [
  ['{{', ' '],
  ['{{', ' ', 'x'],
  ['', '{{ '],
  ['', '{{ x '],
  ['{{x', ' \n', '}'],
  ['', '<'],
  ['<', ' '],
  ['', '< '],
  ['<'.repeat(1_000) + ' href=', ' ', '>'],
  ['<a', ' '],
  ['<a href="', 'x'],
  ['<a style="', ';'],
  ['<a style="', ': '],
  ['', '<a title="x'],
  ['', '<p>'],
  ['', '<p></p>'],
  ['', '<p '],
  ['<img src="https://', 'a.', '">'],
  ['<a href="mailto:', 'a.', '">x</a>'],
];

test.each(WORST.map((pieces) => [pieces.map((piece) => piece.slice(0, 20)), pieces]))(
  '%j up to the limit is read within a second',
  (_name, pieces) => {
    for (const length of [2_000, EMAIL_LIMITS.text, EMAIL_LIMITS.html]) {
      const before = performance.now();
      for (const part of ['text', 'html'] as const) parse({ [part]: upTo(length, ...pieces) });
      // Of the expressions of before, 4 KB took up to 24 s, and 50 KB would have taken hours. This takes milliseconds.
      expect(performance.now() - before).toBeLessThan(1_000);
    }
  },
);

test.each([
  'only text &amp; {{amount}} > 0',
  '<h1>{{sender}}</h1><p>a<br>b<br/>c</p><hr><ul><li>{{payer}}</li></ul>',
  '<a href="https://shop.example.com/orders?a=1&amp;b=2#top">{{payment_id}}</a>',
  '<p><a href="mailto:help@example.com" title="it\'s us">help</a></p>',
  '<img src="https://cdn.example.com/logo.png" alt="Shop" width="120" height="40">',
  '<TABLE role="presentation" width="100%" cellpadding="0">\n<tbody> <tr><td colspan="2" style="color: #333; padding: 4px">x</td></tr></tbody>\n</TABLE>',
])('%s is accepted', (html) => {
  expect(parse({ html })).toBe('not refused');
});

test('the texts of usance are accepted', () => {
  for (const kind of Object.values(KINDS)) expect(() => parseTexts(kind)).not.toThrow();
});

describe('HTML of a template is refused', () => {
  test.each([
    '<script>x</script>',
    '<form action="https://evil.example.com">',
    '<img src=x onerror=alert(1)>',
    '<img/src="https://evil.example.com/x"/onerror="alert(1)">',
    '<img src="https://evil.example.com/x"onerror="alert(1)">',
    '<a href="https://x.example.com"onclick="alert(1)">x</a>',
    '<a/href="javascript:alert(1)">x</a>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="java&#115;cript:alert(1)">x</a>',
    '<a href="https&#58;//x.example.com">x</a>',
    '<a href="https://bank.example.com@evil.example.com">x</a>',
    '<a href="https://bank.example.com&#64;evil.example.com">x</a>',
    '<a href="http://x.example.com">x</a>',
    '<a href="https://">x</a>',
    '<a href="{{payer}}">x</a>',
    '<a href="https://x.example.com/{{payer}}">x</a>',
    '<a title={{payer}}>x</a>',
    "<a href='https://x.example.com'>x</a>",
    '<a href="https://x.example.com" href="https://y.example.com">x</a>',
    '<a href="https://x.example.com"><a href="https://y.example.com">x</a></a>',
    '<frameset><frame src="https://evil.example.com"></frameset>',
    '<applet code="x"></applet>',
    '<video poster="https://evil.example.com/x"></video>',
    '<img srcset="https://evil.example.com/x 2x">',
    '<img src="data:text/html,x">',
    '<p style="background: url(https://evil.example.com/x)">x</p>',
    '<p style="background-color: url(https://evil.example.com/x)">x</p>',
    '<p style="display:none">x</p>',
    '<p style="position: fixed; width: 100%">x</p>',
    '<p style="color: red; display: none">x</p>',
    '<p style="width: expression(alert(1))">x</p>',
    '<div style="display:none">',
    '<div>',
    '</div><div>',
    '</body>',
    '<p>x</p><!--',
    '<!-- x -->',
    '<!doctype html>',
    '<![CDATA[',
    '<?xml ?>',
    '<plaintext>',
    '<textarea>',
    '<xmp>',
    '<noscript>',
    '<title>',
    '<select><option>x',
    '<details>',
    '<p>a < b</p>',
    '<p><b>x</p></b>',
    '<p><div>x</div></p>',
    '<table>x</table>',
    '<table><tr><td>x</table>',
    '<ul>x</ul>',
    '<p',
    '<p title="x',
    '<p title="x>y">x</p>',
    '<p\f>x</p>',
    '<p\u0000>x</p>',
    '<constructor>x</constructor>',
    '<p constructor="x">x</p>',
    '<p onmouseover="x">x</p>',
    '<div>'.repeat(100) + '</div>'.repeat(100),
  ])('%s', (html) => {
    expect(parse({ html })).toMatch(/^(EMAIL_TEMPLATE_INVALID|FIELD_INVALID)$/);
  });
});

test('the link to unsubscribe is outside every element of the template', () => {
  const html = '<div style="font-size: 0; color: white"><p>{{payer}}</p></div>';
  const link = 'https://pay.example.com/unsubscribe/x';
  const rendered = render({ ...parseTexts({ ...GOOD, html }) }, VALUES, { locale: 'en', link });
  expect(rendered.html).toMatch(
    /<\/p><\/div>\n<p style="clear: both; [^"]+"><a href="https:\/\/pay\.example\.com\/unsubscribe\/x">Unsubscribe from these e-mails<\/a><\/p>\n<\/body><\/html>\n$/,
  );
});
