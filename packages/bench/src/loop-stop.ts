import { monitorEventLoopDelay } from "node:perf_hooks";

/** Sees how long the event loop stands still. */
export interface LoopWatch {
  /** Ends it; resolves to the longest stop since it began, in milliseconds. */
  end(): Promise<number>;
}

/** How often the loop is looked at, in milliseconds. */
const resolutionMs = 1;

/** Begins to watch the loop; resolves when even a stop that begins at once would be seen. */
export async function watchLoop(): Promise<LoopWatch> {
  // Deno's histogram is made of something else: it says 0.01 ms of a stop of 100.
  const watch = "Deno" in globalThis ? timerWatch() : await histogramWatch();
  return {
    end: async () => {
      // A stop that lasts to the very end is seen by the look after it.
      await pause();
      return Math.max(0, watch.stop() - resolutionMs);
    },
  };
}

/** Resolves when the loop has been looked at, unless it stands still. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20 * resolutionMs));
}

async function histogramWatch(): Promise<{ stop(): number }> {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  await pause();
  delay.reset();
  // A sample is the time since the one before it, and a reset forgets that one, too: until there is a sample again, a stop of any
  // length would begin nothing and end as the first.
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
