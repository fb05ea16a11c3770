import { cpus, freemem, totalmem } from "node:os";

interface SystemLoad {
  readonly at: number;
  readonly busy: number;
  readonly total: number;
  readonly memoryUsed: number;
}

/**
 * Minimum CPU time between two reads for a valid result, in milliseconds summed over all CPUs. The operating system counts CPU time in
 * units of 10 ms.
 */
const fewestMs = 200;

/** Measures the machine's load in the time between two reads, because a single test measurement is too short. */
export class LoadMeter {
  #last: SystemLoad;

  /** @param now the service's clock */
  constructor(private readonly now: () => number) {
    this.#last = loadAt(now());
  }

  read() {
    const [from, to] = [this.#last, loadAt(this.now())];
    const passed = to.total - from.total;
    // If too little CPU time has passed, the next read uses the same start time.
    if (passed >= fewestMs) this.#last = to;
    return {
      startTimeMs: Math.round(from.at),
      endTimeMs: Math.round(to.at),
      ...(passed >= fewestMs && { cpuUtilization: summary([Math.min(1, Math.max(0, (to.busy - from.busy) / passed))]) }),
      physicalMemoryUsedBytes: summary([from.memoryUsed, to.memoryUsed]),
      physicalMemoryTotalBytes: totalmem(),
    };
  }
}

export type LoadMetrics = ReturnType<LoadMeter["read"]>;

function loadAt(at: number): SystemLoad {
  const times = cpus().map((cpu) => cpu.times);
  const total = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  const idle = times.reduce((sum, time) => sum + time.idle, 0);
  return { at, busy: total - idle, total, memoryUsed: totalmem() - freemem() };
}

function summary(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  // For one or two values, the median is equal to the mean.
  return {
    min: values.reduce((least, value) => Math.min(least, value), Infinity),
    max: values.reduce((most, value) => Math.max(most, value), -Infinity),
    mean,
    median: mean,
    stdDev: Math.sqrt(variance),
    count: values.length,
  };
}
