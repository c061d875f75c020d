import { seededRandom } from "../../../objects/random.js";
import type { ExploredFault } from "../faults/explored-fault.js";
import type { Call } from "../record/call.js";
import type { RunResult } from "../record/run-result.js";
import { faultsOfCall, faultsOfEvent } from "./single-faults.js";

/** Faults of a run by seed. Most have two. */
const counts = [2, 2, 2, 3];

/** Share by which calls and events of a run with a fault may outnumber those without. */
const more = 1.5;

/** Returns the faults of the run with a seed. The first is one that occurs in the run without faults. */
export function seededFaults(
  seed: number,
  { calls, events }: Pick<RunResult, "calls" | "events">,
  steps: readonly number[],
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
  const faults = Array.from({ length: pick(counts) }, (_, at) => one(at === 0 ? 1 : more));
  return calls.length === 0 ? [] : faults;
}
