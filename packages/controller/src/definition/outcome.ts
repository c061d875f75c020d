import type { Condition } from "@typekube/api/meta/v1";
import type { ProjectedObject } from "@typekube/client";
import { KubeError } from "@typekube/core";
import { isJsonObject } from "@typekube/core/internal";

/** Return value of a reconcile. Nothing means that the object is as it should be until something changes. */
export type Outcome<Status = unknown> = NotReady | RunResult<Status> | undefined;

/** Type of the whole object that a type with some fields stands for; any other type itself. */
type WholeOf<T> = T extends ProjectedObject<infer Whole> ? Whole : T;

/** Part of an object's status that a run writes: of the whole object, also when the cache keeps some fields only. */
export type StatusOf<T> =
  WholeOf<T> extends { status?: infer S }
    ? PartOfStatus<Exclude<S, undefined>>
    : Readonly<Record<string, unknown>>;

/** Conditions need no time of their transition: it is filled in. */
type PartOfStatus<S> = {
  readonly [N in keyof S]?: S[N] extends readonly Condition[] | undefined
    ? readonly WrittenCondition[] | undefined
    : S[N];
};

/** A condition as a reconciler writes it. */
export type WrittenCondition = Omit<Condition, "lastTransitionTime" | "message"> &
  Partial<Pick<Condition, "lastTransitionTime" | "message">>;

/** The result of a reconcile that went well. */
export interface RunResult<Status = unknown> {
  /** Written as `run.status.set(status)` does, after the reconcile. */
  readonly status?: Status | undefined;
  /**
   * Milliseconds after which the object is reconciled again at the latest, unless a run before then asks for less or for
   * nothing. 0 means no such run, as in controller-runtime.
   */
  readonly requeueAfterMs?: number | undefined;
  /** Priority of the following run. Default: that of this run. */
  readonly priority?: number | undefined;
}

const notReadyMark: unique symbol = Symbol("typekube.notReady");

/** An outcome that is no error: the run is tried again with growing delays, and nothing is reported as failed. */
export interface NotReady {
  readonly reason: string;
  readonly message: string | undefined;
  readonly [notReadyMark]: true;
}

/**
 * Creates the outcome of a run that has to wait for something. (`run.notReady`)
 *
 * @param reason - one word in CamelCase, as in a condition.
 * @param message - text for people. Default: none.
 */
export function notReady(reason: string, message?: string): NotReady {
  return { reason, message, [notReadyMark]: true };
}

/** Returns true for what {@link notReady} returned. */
export function isNotReady(value: unknown): value is NotReady {
  return isJsonObject(value) && notReadyMark in value;
}

const resultNames = ["priority", "requeueAfterMs", "status"];

/**
 * Reads what a reconciler returned.
 *
 * @throws {KubeError} `InvalidArgument` for anything that is not an {@link Outcome}; nothing of it is used then.
 */
export function readOutcome(returned: unknown): Outcome {
  if (returned === undefined || isNotReady(returned)) {
    return returned;
  }
  if (!isJsonObject(returned)) {
    throw new KubeError(
      "InvalidArgument",
      `a reconciler returned ${returned === null ? "null" : `a ${typeof returned}`}`,
      { hint: "return nothing, { requeueAfterMs, status } or run.notReady(reason)" },
    );
  }
  const unknown = Object.keys(returned).find((name) => !resultNames.includes(name));
  if (unknown !== undefined) {
    throw new KubeError(
      "InvalidArgument",
      `a reconciler returned the unknown property ${unknown}`,
      { hint: `known are ${resultNames.join(", ")}` },
    );
  }
  const { requeueAfterMs, priority, status } = returned;
  if (requeueAfterMs !== undefined && !isAmount(requeueAfterMs)) {
    throw invalid("requeueAfterMs", "a finite number of milliseconds of at least 0");
  }
  if (priority !== undefined && !Number.isSafeInteger(priority)) {
    throw invalid("priority", "an integer");
  }
  if (status !== undefined && !isJsonObject(status)) {
    throw invalid("status", "an object");
  }
  return returned as RunResult;
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function invalid(name: string, mustBe: string): KubeError {
  return new KubeError("InvalidArgument", `a reconciler returned ${name}: must be ${mustBe}`);
}
