// A calendar as RFC 5545 writes it: lines end with CRLF, are folded at 75 octets, and text is escaped.

export interface CalendarEvent {
  /** The same for the same event in every answer. */
  readonly uid: string;
  readonly at: Date;
  readonly summary: string;
  readonly description: string;
}

export interface Calendar {
  readonly name: string;
  /** When the answer was made. */
  readonly stamp: Date;
  readonly events: readonly CalendarEvent[];
  /** The end of what the calendar shows, if there are more events after it. Default null. */
  readonly truncatedAt?: Date | null;
}

export const CALENDAR_TYPE = 'text/calendar';

export function writeCalendar({ name, stamp, events, truncatedAt = null }: Calendar): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//usance//upcoming payments//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    ...(truncatedAt === null ? [] : [`X-USANCE-TRUNCATED-AT:${instant(truncatedAt)}`]),
    ...events.flatMap((event) => [
      'BEGIN:VEVENT',
      `UID:${escaped(event.uid)}`,
      `DTSTAMP:${instant(stamp)}`,
      `DTSTART:${instant(event.at)}`,
      `SUMMARY:${escaped(event.summary)}`,
      `DESCRIPTION:${escaped(event.description)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** `20261201T080000Z`: whole seconds. */
const instant = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

// Controls have no place in a calendar, line feeds apart.
const CONTROLS = /(?!\n)\p{Cc}/gu;
// Some readers end a line at a CR, and at the separators of lines and of paragraphs.
const LINE_ENDS = /\r\n?|[\u2028\u2029]/g;

const escaped = (text: string): string =>
  text
    .replaceAll(LINE_ENDS, '\n')
    .replaceAll(CONTROLS, ' ')
    .replaceAll(/[\\;,]/g, (mark) => `\\${mark}`)
    .replaceAll('\n', '\\n');

const MOST_OCTETS = 75;

/** No line has more than 75 octets, and no character is cut in two. The space that begins a further line counts. */
function folded(line: string): string {
  let text = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > MOST_OCTETS) {
      text += '\r\n ';
      octets = 1;
    }
    text += character;
    octets += size;
  }
  return text;
}
