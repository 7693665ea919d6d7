// Names of processors: a worker announces the names that a job can have as its `processorName`, and no others.
import { describe, expect, test } from 'vitest';
import { requireAnnounceable } from '../../src/jobs/announce.ts';
import { parseJob } from '../../src/jobs/parse-job.ts';
import { Refusal, SetupError } from '../../src/kernel/index.ts';

const announced = (name: unknown): (() => void) => {
  const processor = { name, description: '' } as { name: string; description: string };
  return () => requireAnnounceable(processor);
};
const namedByJob = (processorName: unknown) => (): unknown =>
  parseJob({ name: 'receipts', eventPattern: '*', processorName: processorName as string });

describe('a processor', () => {
  test.each(['send-receipt', 'shop: on payment.*', '領収書', 'x'.repeat(100)])('can be named %j', (name) => {
    expect(announced(name)).not.toThrow();
    expect(namedByJob(name)).not.toThrow();
  });

  test.each(['', ' send', 'send ', 'send\nreceipt', 'send\0', 'send\ud800', 'x'.repeat(101), 7, null])(
    'cannot be named %j, by a worker or by a job',
    (name) => {
      expect(announced(name)).toThrow(SetupError);
      expect(namedByJob(name)).toThrow(Refusal);
    },
  );

  test('has a description of 1,000 characters at most', () => {
    expect(() => requireAnnounceable({ name: 'send', description: 'x'.repeat(1_000) })).not.toThrow();
    expect(() => requireAnnounceable({ name: 'send', description: 'x'.repeat(1_001) })).toThrow(
      'the description of the processor "send"',
    );
  });
});
