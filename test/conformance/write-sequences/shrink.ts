import type { Step } from "./step.js";

/** Returns the shortest sequence that still fails, by leaving out one step at a time. */
export async function shrink(
  steps: readonly Step[],
  fails: (steps: readonly Step[]) => Promise<boolean>,
): Promise<readonly Step[]> {
  let smallest = steps;
  for (let at = smallest.length - 1; at >= 0; at--) {
    const without = smallest.filter((_, index) => index !== at);
    if (without.length > 0 && (await fails(without))) {
      smallest = without;
    }
  }
  return smallest;
}
