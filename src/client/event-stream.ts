// Server-Sent Events, as the HTML standard defines them: lines end with LF, CR or CRLF, an empty line ends an event, and the
// `data` lines of one event belong together. An `id` without data is no event: it says how far the server has read.

export interface StreamedBlock {
  /** The place to go on from; null if the block has none. */
  readonly id: string | null;
  /** Null if the block is no event. */
  readonly data: string | null;
}

/** Reads the text of a stream in parts and returns every complete block that has data or an id. */
export function createEventReader(): (piece: string) => StreamedBlock[] {
  let rest = '';
  let afterCr = false;
  let data: string[] = [];
  let id: string | null = null;
  return (piece) => {
    // A CRLF can be split between two parts: its LF is not an empty line.
    const text = rest + (afterCr && piece.startsWith('\n') ? piece.slice(1) : piece);
    if (piece !== '') afterCr = piece.endsWith('\r');
    const lines = text.split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    const complete: StreamedBlock[] = [];
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0 || id !== null) complete.push({ id, data: data.length > 0 ? data.join('\n') : null });
        [data, id] = [[], null];
        continue;
      }
      const [, field, value = ''] = /^(data|id)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'data') data.push(value);
      if (field === 'id') id = value;
    }
    return complete;
  };
}
