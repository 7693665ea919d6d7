// Error rate and latency of a rail's calls, over the latest ones. In memory: health describes this process's view of the endpoints.

const WINDOW = 200;

export interface CallMeter {
  record(succeeded: boolean): void;
  took(latencyMs: number): void;
  read(): { readonly rpcErrorRate: number; readonly p95LatencyMs: number };
}

export function callMeter(): CallMeter {
  const calls: boolean[] = [];
  const latencies: number[] = [];
  const keep = <T>(list: T[], item: T): void => {
    list.push(item);
    if (list.length > WINDOW) list.shift();
  };
  return {
    record: (succeeded) => keep(calls, succeeded),
    took: (latencyMs) => keep(latencies, latencyMs),
    read() {
      const failed = calls.filter((succeeded) => !succeeded).length;
      const sorted = latencies.toSorted((a, b) => a - b);
      return {
        rpcErrorRate: calls.length === 0 ? 0 : failed / calls.length,
        p95LatencyMs: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0,
      };
    },
  };
}
