// Sends what requests.ts makes up, several at once, and judges every answer by the document alone.
import { CATALOGUE } from '../../../src/kernel/index.ts';
import type { Operation } from './operations.ts';
import { operationAt } from './operations.ts';
import { randomOf } from './random.ts';
import type { FuzzRequest, World } from './requests.ts';
import { requestOf } from './requests.ts';
import type { WireAnswer } from './wire.ts';
import { Wire } from './wire.ts';

export interface FuzzOptions {
  readonly port: number;
  readonly operations: readonly Operation[];
  readonly world: World;
  readonly seed: number;
  /** The number of the first request: a run can be made in rounds. */
  readonly first: number;
  readonly requests: number;
  readonly atOnce: number;
}

export interface FuzzReport {
  /** A line each, with the number of the request and its bytes. */
  readonly failures: string[];
  /** How often each status was answered; `none` where the server hung up on half a request. */
  readonly statuses: Map<string, number>;
  /** Operations that were carried out, not only refused. */
  readonly succeeded: Set<string>;
}

const MOST_FAILURES = 20;

export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { operations, world, seed, port } = options;
  const report: FuzzReport = { failures: [], statuses: new Map(), succeeded: new Set() };
  let next = options.first;
  const worker = async (): Promise<void> => {
    const wire = new Wire(port);
    while (next < options.first + options.requests && report.failures.length < MOST_FAILURES) {
      const index = next;
      next += 1;
      const random = randomOf(seed, index);
      const request = requestOf(random.pick(operations), world, random);
      // Now and then the same bytes twice at once: one key, one effect.
      const copies = random.chance(0.03) ? 2 : 1;
      const spare = copies > 1 ? new Wire(port) : null;
      const how = { isHead: request.method === 'HEAD', hangsUp: request.hangsUp };
      const answers = await Promise.all([wire, ...(spare ? [spare] : [])].map((one) => one.send(request.bytes, how)));
      spare?.close();
      for (const answer of answers) judge(report, operations, request, answer, `request ${index} of seed ${seed}`);
    }
    wire.close();
  };
  await Promise.all(Array.from({ length: options.atOnce }, worker));
  return report;
}

function judge(
  report: FuzzReport,
  operations: readonly Operation[],
  request: FuzzRequest,
  answer: WireAnswer | null,
  name: string,
): void {
  const status = String(answer?.status ?? 'none');
  report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1);
  const operation = operationAt(operations, request.method, request.target);
  const fault = answer === null ? (request.mayBeIgnored ? null : 'no answer') : faultOf(request, operation, answer);
  if (operation && answer && answer.status < 300) report.succeeded.add(operation.name);
  if (fault === null) return;
  const sent = JSON.stringify(request.bytes.toString('latin1').slice(0, 1_500));
  report.failures.push(`${name}: ${fault}\n  sent ${sent}\n  heard ${status} ${answer?.body.slice(0, 500) ?? ''}`);
}

function faultOf(request: FuzzRequest, operation: Operation | null, answer: WireAnswer): string | null {
  const { status, headers, body } = answer;
  if (status >= 500 || Number.isNaN(status)) return 'trouble of ours';
  // What cannot be read has no method yet, and half a request may be answered twice: for its head, and for what is missing.
  const unread = headers['cache-control'] === undefined;
  if (request.method === 'HEAD') return body === '' || request.hangsUp || unread ? null : 'a body for HEAD';
  const type = headers['content-type'] ?? '';
  if (operation && status < 400) return operation.misfit(status, type, body);
  // Whoever opens the address alone is led to the reference.
  if (status === 302 && headers['location'] === '/docs') return null;
  if (status === 204 && String(headers['allow']).endsWith('OPTIONS')) return body === '' ? null : '204 with a body';
  if (!type.startsWith('application/problem+json')) return `${status} as "${type}" is no problem document`;
  const problem = JSON.parse(body) as Record<string, unknown>;
  if (typeof problem['code'] !== 'string' || !(problem['code'] in CATALOGUE)) return 'a code that is in no catalogue';
  if (problem['status'] !== status) return 'another status in the body';
  if (problem['request_id'] !== headers['x-request-id']) return 'another id in the body';
  return operation ? operation.misfit(status, type, body) : null;
}
