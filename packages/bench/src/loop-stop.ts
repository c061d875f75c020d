import { monitorEventLoopDelay } from "node:perf_hooks";

/** Measures how long the event loop is blocked. */
export interface LoopWatch {
  /** Stops the watch; resolves to the longest block since its start, in milliseconds. */
  end(): Promise<number>;
}

/** Milliseconds between two samples of the loop. */
const resolutionMs = 1;

/** Starts to watch the loop; resolves when a block that starts immediately would be measured. */
export async function watchLoop(): Promise<LoopWatch> {
  // Deno's histogram measures something different: it reports 0.01 ms for a block of 100 ms.
  const watch = "Deno" in globalThis ? timerWatch() : await histogramWatch();
  return {
    end: async () => {
      // A block that lasts until the end is measured by the next sample.
      await pause();
      return Math.max(0, watch.stop() - resolutionMs);
    },
  };
}

/** Resolves after the loop was sampled, unless the loop is blocked. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20 * resolutionMs));
}

async function histogramWatch(): Promise<{ stop(): number }> {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  await pause();
  delay.reset();
  // A sample is the time since the previous sample, and `reset` discards that one too. Until the next sample, a block
  // of any length would have no start and count as the first sample.
  while (delay.count === 0) {
    await pause();
  }
  return {
    stop: () => {
      delay.disable();
      return delay.max / 1e6;
    },
  };
}

function timerWatch(): { stop(): number } {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, resolutionMs);
  return {
    stop: () => {
      clearInterval(timer);
      return longest;
    },
  };
}
