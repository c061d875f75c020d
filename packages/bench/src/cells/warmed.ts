/** How often a task runs before a row that says `warm` is measured. */
const rounds = 4;

/** The task, after a few runs of it where the variant asks for a warm program: a long-lived one pays this price. */
export async function warmed<T>(
  variant: string,
  task: () => Promise<T>,
): Promise<() => Promise<T>> {
  for (let round = 0; variant.includes("warm") && round < rounds; round++) {
    await task();
  }
  return task;
}
