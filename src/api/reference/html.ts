// HTML from a template, everything in it escaped unless it is HTML already.
export interface Html {
  readonly text: string;
}

type Part = Html | string | number | readonly Part[];

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { text: strings.reduce((made, string, index) => made + rendered(parts[index - 1] ?? '') + string) };
}

/** Our own text, which is no one's input. */
export function raw(text: string): Html {
  return { text };
}

function rendered(part: Part): string {
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escaped(part);
  return 'text' in part ? part.text : part.map(rendered).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
