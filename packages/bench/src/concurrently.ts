/** Runs a call `count` times, at most `concurrency` at once; resolves to the number of calls. */
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
 * Returns the number of unmeasured calls before `count` measured ones. They open sockets and let hot functions be
 * compiled, as in a program that runs for days. At most `count`, so that a quick run stays quick.
 */
export function warmUpCalls(count: number): number {
  return Math.min(2_000, count);
}
