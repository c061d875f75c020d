import { seededRandom } from "../../../objects/random.js";
import type { ExploredFault } from "../faults/explored-fault.js";
import type { Call } from "../record/call.js";
import type { RunResult } from "../record/run-result.js";
import { faultsOfCall, faultsOfEvent } from "./single-faults.js";

/** Faults of a run by seed. Most have two. */
const counts = [2, 2, 2, 3];

/** Share by which calls and events of a run with a fault may outnumber those without. */
const more = 1.5;

/** Draws of a fault until one is of a type that is tried, and new: beyond it, a run has one fault less. */
const mostDraws = 200;

/**
 * Returns the faults of the run with a seed, each once. The first is one that occurs in the run without faults.
 *
 * @param isTried - returns whether a fault may be chosen.
 */
export function seededFaults(
  seed: number,
  { calls, events }: Pick<RunResult, "calls" | "events">,
  steps: readonly number[],
  isTried: (fault: ExploredFault) => boolean,
): ExploredFault[] {
  const random = seededRandom(seed * 2_654_435_761 + 1);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const hasElection = calls.some(({ resource }) => resource === "leases");
  const resources = [...events];
  const one = (reach: number): ExploredFault => {
    if (resources.length > 0 && random() < 0.4) {
      const [resource, count] = pick(resources);
      const event = 1 + Math.floor(random() * count * reach);
      return pick(faultsOfEvent(resource, event));
    }
    const at = Math.floor(random() * calls.length * reach);
    const like = calls[at] ?? pick(calls);
    const call: Call = { ...like, call: at + 1 };
    return pick(faultsOfCall(call, steps, hasElection));
  };
  const faults = new Map<string, ExploredFault>();
  const addTried = (reach: number): void => {
    for (let draw = 0; draw < mostDraws; draw++) {
      const fault = one(reach);
      const key = JSON.stringify(fault);
      if (isTried(fault) && !faults.has(key)) {
        faults.set(key, fault);
        return;
      }
    }
  };
  const count = calls.length === 0 ? 0 : pick(counts);
  for (let at = 0; at < count; at++) {
    addTried(at === 0 ? 1 : more);
  }
  return [...faults.values()];
}
