import { KubeError } from "@typekube/core";
import { type ExploredFault, faultTypes } from "../faults/explored-fault.js";

/** A run that can be repeated. */
export interface Replay {
  /** Numbers of the steps, from 1. */
  readonly steps: readonly number[];
  readonly faults: readonly ExploredFault[];
}

/** Returns a run as text. */
export function replayText({ steps, faults }: Replay): string {
  return JSON.stringify({ steps, faults });
}

/** Returns whether a fault says where it occurs, and how long a jump is. */
function hasPlace(fault: object | null): boolean {
  const { type, call, event, ms, status, writes } = (fault ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 1;
  return (
    (isCount(call) || isCount(event)) &&
    (type !== "jump" || Number.isFinite(ms)) &&
    (type !== "refuse" || [409, 429, 500].some((one) => one === status)) &&
    (type !== "stale" || isCount(writes))
  );
}

/**
 * Reads a run from text.
 *
 * @param stepCount - number of steps of the scenario.
 * @throws {KubeError} `InvalidArgument` for another text, and for one of another scenario.
 */
export function parseReplay(text: string, stepCount: number): Replay {
  let replay: Partial<Replay> | undefined;
  try {
    replay = JSON.parse(text) as Partial<Replay>;
  } catch {
    replay = undefined;
  }
  const { steps, faults } = replay ?? {};
  const isValid =
    Array.isArray(steps) &&
    steps.length > 0 &&
    steps.every((step) => Number.isInteger(step) && step >= 1 && step <= stepCount) &&
    Array.isArray(faults) &&
    faults.every(hasPlace) &&
    faults.every((fault: Partial<ExploredFault> | null) =>
      faultTypes.some((type) => type === fault?.type),
    );
  if (!isValid) {
    throw new KubeError("InvalidArgument", "the replay does not fit this scenario", {
      hint: "give the text of a finding's replay; a scenario that has changed needs a new search",
    });
  }
  return { steps: steps as number[], faults: faults as ExploredFault[] };
}
