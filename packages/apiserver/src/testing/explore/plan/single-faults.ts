import type { ExploredFault, RefusalStatus } from "../faults/explored-fault.js";
import type { Call } from "../record/call.js";
import { isBookkeeping } from "../record/call.js";
import type { RunResult } from "../record/run-result.js";

/** Statuses with which each write is refused. */
const refusals: readonly RefusalStatus[] = [409, 429, 500];
/** Calls for which events wait. Longer waits end when nothing else happens. */
const lagCalls = [0, 1, 2];
/** Clock jumps in milliseconds: a suspended machine, and a clock that was set back. */
const jumps = [3_600_000, -3_600_000];
/** Writes that a list of an old state lacks. */
const staleWrites = [1, 2, 4, 8];

/** Returns every fault that can occur by itself in a run like the given one. */
export function singleFaults(
  { calls, events }: Pick<RunResult, "calls" | "events">,
  steps: readonly number[],
): ExploredFault[] {
  const hasElection = calls.some(({ resource }) => resource === "leases");
  return [
    ...calls.flatMap((call) => faultsOfCall(call, steps, hasElection)),
    ...[...events].flatMap(([resource, count]) =>
      Array.from({ length: count }, (_, at) => faultsOfEvent(resource, at + 1)).flat(),
    ),
  ];
}

/** Returns the faults at one call. */
export function faultsOfCall(
  call: Call,
  steps: readonly number[],
  hasElection: boolean,
): ExploredFault[] {
  const { call: number, isWrite, isExternal } = call;
  const later = steps.filter((step) => step > call.step);
  const next = later[0];
  const faults: ExploredFault[] = [];
  // A call of an external system may write although nothing of it shows.
  if (isWrite || isExternal) {
    for (const when of ["before", "after"] as const) {
      faults.push({ type: "crash", call: number, when });
      if (next !== undefined) {
        faults.push({ type: "crash", call: number, when, down: true });
      }
      faults.push({ type: "lose", call: number, when });
    }
    for (const status of isExternal ? ([500] as const) : refusals) {
      faults.push({ type: "refuse", call: number, status });
    }
  } else {
    faults.push(
      { type: "refuse", call: number, status: 500 },
      { type: "refuse", call: number, status: 429 },
      { type: "lose", call: number, when: "before" },
    );
  }
  if (call.acceptsOldState) {
    faults.push(...staleWrites.map((writes) => ({ type: "stale", call: number, writes }) as const));
  }
  if (!isBookkeeping(call)) {
    faults.push(...jumps.map((ms) => ({ type: "jump", call: number, ms }) as const));
    if (next !== undefined && call.step > 0) {
      faults.push({ type: "early", step: next, call: number });
    }
  }
  if (hasElection) {
    faults.push({ type: "pause", call: number });
  }
  return faults;
}

/** Returns the faults at one event of a resource. */
export function faultsOfEvent(resource: string, event: number): ExploredFault[] {
  return [
    ...lagCalls.map((calls) => ({ type: "lag", resource, event, calls }) as const),
    { type: "lag", resource, event },
    { type: "lag", resource, event, long: true },
    { type: "miss", resource, event },
    { type: "miss", resource, event, long: true },
    { type: "cut", resource, event, how: "break" },
    { type: "cut", resource, event, how: "expire" },
  ];
}
