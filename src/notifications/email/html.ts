// The HTML that a template may have: elements and attributes of a list, closed in the order in which they were opened. What a mail reader makes of
// it is then what is read here, so that a template cannot run or load code, cover the message, or open an element that swallows the link to
// unsubscribe behind it. One pass from left to right, in time linear in the length: a template may be written by anybody with a key.

type Content = 'flow' | 'inline' | 'items' | 'sections' | 'rows' | 'cells' | 'none';

/** What each element may contain; `none` has no end tag. */
const ELEMENTS: Readonly<Record<string, Content>> = {
  div: 'flow',
  blockquote: 'flow',
  li: 'flow',
  td: 'flow',
  th: 'flow',
  p: 'inline',
  h1: 'inline',
  h2: 'inline',
  h3: 'inline',
  h4: 'inline',
  pre: 'inline',
  a: 'inline',
  b: 'inline',
  strong: 'inline',
  i: 'inline',
  em: 'inline',
  u: 'inline',
  s: 'inline',
  small: 'inline',
  sub: 'inline',
  sup: 'inline',
  span: 'inline',
  code: 'inline',
  ul: 'items',
  ol: 'items',
  table: 'sections',
  thead: 'rows',
  tbody: 'rows',
  tr: 'cells',
  br: 'none',
  img: 'none',
  hr: 'none',
};
const INLINE = new Set(['a', 'b', 'strong', 'i', 'em', 'u', 's', 'small', 'sub', 'sup', 'span', 'code', 'br', 'img']);
const FLOW = new Set([...INLINE, 'div', 'blockquote', 'p', 'h1', 'h2', 'h3', 'h4', 'pre', 'ul', 'ol', 'table', 'hr']);
/** A reader closes or moves an element that is out of place, and then the tags are not those that were checked. */
const CHILDREN: Readonly<Record<Content, ReadonlySet<string>>> = {
  flow: FLOW,
  inline: INLINE,
  items: new Set(['li']),
  sections: new Set(['thead', 'tbody', 'tr']),
  rows: new Set(['tr']),
  cells: new Set(['td', 'th']),
  none: new Set(),
};
export const HTML_ELEMENTS: readonly string[] = Object.keys(ELEMENTS);
const DEEPEST = 50;
const MOST_ATTRIBUTES = 20;

const SIZE = /^\d{1,4}%?$/;
const WORD = /^[a-z]{1,20}$/;
const TEXT = /^[^"<>{}]{0,200}$/;
const COLOR = /^(?:#[0-9a-f]{3,8}|[a-z]{1,30})$/i;
const LENGTH = /^(?:0|\d{1,3}(?:\.\d{1,2})?(?:px|em|pt|%))$/;
/** Of `style`. None of them can hide, move or cover anything outside of the element, or load anything. */
const STYLES: Readonly<Record<string, RegExp>> = {
  color: COLOR,
  'background-color': COLOR,
  'font-family': /^[a-z ,'-]{1,100}$/i,
  'font-size': LENGTH,
  'font-style': WORD,
  'font-weight': /^(?:[a-z]{1,10}|\d{3})$/,
  'line-height': /^\d(?:\.\d{1,2})?$/,
  'text-align': WORD,
  'text-decoration': WORD,
  'vertical-align': WORD,
  padding: LENGTH,
  width: LENGTH,
};
const isStyle = (value: string): boolean =>
  value.split(';').every((declaration) => {
    if (declaration.trim() === '') return true;
    const [name = '', given = '', ...more] = declaration.split(':').map((part) => part.trim());
    return more.length === 0 && Object.hasOwn(STYLES, name) && STYLES[name]?.test(given) === true;
  });

/** `https:` with a host and without a user. `&amp;` is the only reference in it: another one could spell a colon or an at sign. */
function isHttps(value: string): boolean {
  const text = value.replaceAll('&amp;', '%26');
  if (!/^https:\/\/[!#-%'-;=?-[\]_a-z~|]{1,2000}$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
const isLink = (value: string): boolean =>
  isHttps(value) || /^mailto:[a-z0-9._+-]{1,64}@[a-z0-9.-]{1,190}$/i.test(value);

type Check = (value: string) => boolean;
const by =
  (pattern: RegExp): Check =>
  (value) =>
    pattern.test(value);
const OF_ALL: Readonly<Record<string, Check>> = {
  style: isStyle,
  align: by(WORD),
  title: by(TEXT),
  lang: by(/^[a-z-]{1,20}$/i),
  dir: by(/^(?:ltr|rtl)$/),
};
const OF_CELLS = {
  colspan: by(/^\d{1,2}$/),
  rowspan: by(/^\d{1,2}$/),
  valign: by(WORD),
  width: by(SIZE),
  bgcolor: by(COLOR),
};
const ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  a: { href: isLink },
  img: { src: isHttps, alt: by(TEXT), width: by(SIZE), height: by(SIZE) },
  td: OF_CELLS,
  th: OF_CELLS,
  table: {
    border: by(SIZE),
    cellpadding: by(SIZE),
    cellspacing: by(SIZE),
    width: by(SIZE),
    bgcolor: by(COLOR),
    role: by(WORD),
  },
};

const NAME = /<(\/?)([a-z][a-z0-9]{0,15})/iy;
const ATTRIBUTE = /[ \t\r\n]{1,200}([a-z]{1,20})="([^"<>{}]{0,2100})"/iy;
const END = /[ \t\r\n]{0,200}\/?>/y;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  /** Behind its `>`. */
  readonly next: number;
}

/** The tag that begins here; null if it is none that a template may have. A comment, a declaration and a lone `<` are none. */
function readTag(html: string, at: number): Tag | null {
  const opened = matchAt(NAME, html, at);
  if (!opened) return null;
  const [, slash, spelled = ''] = opened;
  const name = spelled.toLowerCase();
  if (!Object.hasOwn(ELEMENTS, name)) return null;
  const isEnd = slash === '/';
  const seen = new Set<string>();
  let next = NAME.lastIndex;
  for (let found = matchAt(ATTRIBUTE, html, next); found; found = matchAt(ATTRIBUTE, html, next)) {
    const attribute = (found[1] ?? '').toLowerCase();
    const own = ATTRIBUTES[name] ?? {};
    const check = Object.hasOwn(own, attribute)
      ? own[attribute]
      : Object.hasOwn(OF_ALL, attribute)
        ? OF_ALL[attribute]
        : undefined;
    if (isEnd || seen.has(attribute) || seen.size >= MOST_ATTRIBUTES || check?.(found[2] ?? '') !== true) return null;
    seen.add(attribute);
    next = ATTRIBUTE.lastIndex;
  }
  return matchAt(END, html, next) ? { name, isEnd, next: END.lastIndex } : null;
}

/** Where the first thing is that a template may not have, as a few characters of it; null if there is none. */
export function findRefusedHtml(html: string): string | null {
  const open: string[] = [];
  const from = (at: number): string => html.slice(at, at + 30);
  const isText = (text: string): boolean => {
    const inside = open.at(-1);
    const content = inside === undefined ? 'flow' : ELEMENTS[inside];
    return content === 'flow' || content === 'inline' || text.trim() === '';
  };
  // eslint-disable-next-line no-control-regex
  const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/.exec(html);
  if (control) return from(control.index);
  let at = 0;
  while (at < html.length) {
    const found = html.indexOf('<', at);
    const start = found === -1 ? html.length : found;
    if (!isText(html.slice(at, start))) return from(at);
    if (start === html.length) break;
    const tag = readTag(html, start);
    if (!tag) return from(start);
    const { name, isEnd, next } = tag;
    const inside = open.at(-1);
    const content = inside === undefined ? 'flow' : (ELEMENTS[inside] ?? 'none');
    const isInLink = name === 'a' && open.includes('a');
    if (isEnd ? inside !== name : !CHILDREN[content].has(name) || isInLink) return from(start);
    if (isEnd) open.pop();
    else if (ELEMENTS[name] !== 'none') open.push(name);
    if (open.length > DEEPEST) return from(start);
    at = next;
  }
  return open.length === 0 ? null : `<${open.at(-1)}>`;
}
