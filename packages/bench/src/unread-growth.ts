/** Milliseconds in which the output stays unread. */
const unreadMs = 2_000;
const sampleMs = 20;
const mb = 2 ** 20;

/** Returns MB of resident memory after a full collection. */
export function idleMemory(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss() / mb;
}

/** Returns the most MB of resident memory above those of the idle program, while it does nothing for two seconds. */
export async function growthAbove(idleMb: number): Promise<number> {
  const endsAt = performance.now() + unreadMs;
  let most = 0;
  while (performance.now() < endsAt) {
    await new Promise((resolve) => setTimeout(resolve, sampleMs));
    most = Math.max(most, process.memoryUsage.rss() / mb);
  }
  return Math.max(0, most - idleMb);
}
