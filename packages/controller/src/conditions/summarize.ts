import type { Condition } from "@typekube/api/meta/v1";
import type { ConditionInput } from "./set-condition.js";

/** Options of {@link summarize}. */
export interface SummarizeOptions {
  /** Type of the result. Default `Ready`. */
  readonly type?: string | undefined;
  /** Generation of the object: a condition of an older one counts as unknown. Default: not compared. */
  readonly generation?: number | undefined;
}

/**
 * Returns the condition that stands for several others: `True` when all of them are, otherwise with the reason and the
 * message of the worst one: `False` before `Unknown` before one that is missing, in the order given.
 */
export function summarize(
  conditions: readonly Condition[] | undefined,
  types: readonly string[],
  { type = "Ready", generation }: SummarizeOptions = {},
): ConditionInput {
  const all = types.map((name) => {
    const found = conditions?.find((one) => one.type === name);
    const isStale =
      generation !== undefined &&
      found?.observedGeneration !== undefined &&
      found.observedGeneration < generation;
    return { name, found: isStale ? undefined : found };
  });
  const worst =
    all.find(({ found }) => found?.status === "False") ??
    all.find(({ found }) => found !== undefined && found.status !== "True") ??
    all.find(({ found }) => found === undefined);
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  if (worst === undefined) {
    return { type, status: "True", reason: "AllTrue", message: "", ...observed };
  }
  const { name, found } = worst;
  return {
    type,
    status: found?.status === "False" ? "False" : "Unknown",
    reason: found?.reason || `${name.replaceAll(/[^A-Za-z0-9]/g, "")}Unknown`,
    message: found?.message || `${name} is not known yet`,
    ...observed,
  };
}

/** How far an object is, in the terms of kstatus. */
export interface KstatusInput {
  /** `true` while the controller changes something. */
  readonly isReconciling: boolean;
  /** Why it cannot go on; `undefined` when it can. */
  readonly stalled?: { readonly reason: string; readonly message: string } | undefined;
  readonly generation?: number | undefined;
}

/** Returns the conditions `Reconciling` and `Stalled`, which kstatus and tools that wait with it read. (cli-utils) */
export function kstatusConditions({
  isReconciling,
  stalled,
  generation,
}: KstatusInput): ConditionInput[] {
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  return [
    {
      type: "Reconciling",
      status: isReconciling && stalled === undefined ? "True" : "False",
      reason: isReconciling && stalled === undefined ? "Progressing" : "Settled",
      ...observed,
    },
    {
      type: "Stalled",
      status: stalled === undefined ? "False" : "True",
      reason: stalled?.reason ?? "NotStalled",
      message: stalled?.message ?? "",
      ...observed,
    },
  ];
}
