import type { Replay } from "../plan/replay.js";

/**
 * Returns the shortest run that still fails, by leaving out one step or fault after the other.
 *
 * @param fails - plays a run and returns whether it still fails in the same way.
 */
export async function minimize(
  replay: Replay,
  fails: (replay: Replay) => Promise<boolean>,
): Promise<Replay> {
  let shortest = replay;
  for (let isShorter = true; isShorter; ) {
    isShorter = false;
    for (const candidate of shorter(shortest)) {
      if (await fails(candidate)) {
        shortest = candidate;
        isShorter = true;
        break;
      }
    }
  }
  return shortest;
}

/** Returns the runs that lack one fault, or one step. The last steps are left out first. */
function shorter({ steps, faults }: Replay): Replay[] {
  return [
    ...faults.map((fault) => ({ steps, faults: faults.filter((one) => one !== fault) })),
    ...[...steps].reverse().map((step) => ({
      steps: steps.filter((one) => one !== step),
      faults: faults.filter((fault) => !(fault.type === "early" && fault.step === step)),
    })),
  ].filter((one) => one.steps.length > 0);
}
