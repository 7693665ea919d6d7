// The process itself: the names that every dashboard for Prometheus and Node knows.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Registry } from '../../kernel/index.ts';

const NANOSECONDS = 1e9;
const EVERY_MS = 20;

export function addProcessMeters({ gauge, counter }: Registry): () => void {
  const cpu = counter('process_cpu_seconds_total', 'Processor time used, user and system.');
  const resident = gauge('process_resident_memory_bytes', 'Memory of the process.');
  const heap = gauge('nodejs_heap_size_used_bytes', 'Memory of the JavaScript heap in use.');
  const started = gauge('process_start_time_seconds', 'When the process started.');
  const lag = gauge('nodejs_eventloop_lag_p99_seconds', 'Delay of timers since the last reading, 99th percentile.');
  const delay = monitorEventLoopDelay({ resolution: EVERY_MS });
  let cpuSeconds = 0;
  return () => {
    const { user, system } = process.cpuUsage();
    const used = (user + system) / 1e6;
    cpu.cell().add(used - cpuSeconds);
    cpuSeconds = used;
    resident.set(process.memoryUsage.rss());
    heap.set(process.memoryUsage().heapUsed);
    started.set(performance.timeOrigin / 1_000);
    // Measured from the first reading on, so a process that is never scraped does not measure. It measures the time between two
    // timers.
    lag.set(delay.count > 0 ? Math.max(0, delay.percentile(99) / NANOSECONDS - EVERY_MS / 1_000) : 0);
    delay.reset();
    delay.enable();
  };
}
