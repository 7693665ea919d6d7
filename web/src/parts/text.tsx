// Texts of the API as a person reads them: instants in the time zone of the browser.
import type { ReactNode } from 'react';
import { formatInstant } from './format.ts';

const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

export const withInstants = (text: string): ReactNode =>
  text.split(INSTANT).map((part, index) =>
    INSTANT.test(part) ? (
      <time key={`${part}${index}`} dateTime={part} title={part}>
        {formatInstant(part)}
      </time>
    ) : (
      part
    ),
  );
