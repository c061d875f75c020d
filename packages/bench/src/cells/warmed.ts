/** Number of runs before a `warm` row is measured. */
const rounds = 4;

/** Returns the task, after a few runs of it when the variant is `warm`: its cost in a long-running program. */
export async function warmed<T>(
  variant: string,
  task: () => Promise<T>,
): Promise<() => Promise<T>> {
  for (let round = 0; variant.includes("warm") && round < rounds; round++) {
    await task();
  }
  return task;
}
