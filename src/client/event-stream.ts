// Server-Sent Events, as the HTML standard defines them: lines end with LF, CR or CRLF, an empty line ends an event, and the
// `data` lines of one event belong together.

/** Reads the text of a stream in parts and returns the data of every complete event. */
export function createEventReader(): (piece: string) => string[] {
  let rest = '';
  let afterCr = false;
  let data: string[] = [];
  return (piece) => {
    // A CRLF can be split between two parts: its LF is not an empty line.
    const text = rest + (afterCr && piece.startsWith('\n') ? piece.slice(1) : piece);
    if (piece !== '') afterCr = piece.endsWith('\r');
    const lines = text.split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    const complete: string[] = [];
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) complete.push(data.join('\n'));
        data = [];
        continue;
      }
      const found = /^data(?:: ?(.*))?$/s.exec(line);
      if (found) data.push(found[1] ?? '');
    }
    return complete;
  };
}
