/** Runs a call `count` times, never more than `concurrency` at once; resolves to how many were done. */
export async function concurrently(
  count: number,
  concurrency: number,
  call: () => Promise<unknown>,
): Promise<number> {
  let started = 0;
  const worker = async () => {
    while (started < count) {
      started++;
      await call();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return started;
}

/**
 * Calls before so many measured ones: sockets are open and hot functions compiled, as in a program that runs for days. No more than are
 * measured, so that a quick run is quick.
 */
export function warmUpCalls(count: number): number {
  return Math.min(2_000, count);
}
