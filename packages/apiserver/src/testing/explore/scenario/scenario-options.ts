import { managerOptions } from "@typekube/controller/internal";
import { KubeError } from "@typekube/core";
import {
  type AnyOptionTable,
  assertOptions,
  callback,
  type OptionCheck,
  type OptionTable,
  object,
  text,
} from "@typekube/core/internal";
import { apiServerOptions } from "../../../server/api-server-options.js";
import type { Externals } from "./externals.js";
import { assertLoad } from "./load-check.js";
import type { Scenario } from "./scenario.js";

/** Default of `withinMs`. */
const defaultWithinMs = 600_000;
/** Default of `stableMs`. */
const defaultStableMs = 10_000;
/** Largest `stableMs`: a day. A run of more virtual time would take too long, with all timers that fire in it. */
export const largestStableMs = 86_400_000;
/** Largest `withinMs`: twice as much. */
const largestWithinMs = 2 * largestStableMs;

/** Milliseconds in which the world of a scenario must be right after the last step. */
export function withinMsOf<X extends Externals>({ withinMs, stableMs }: Scenario<X>): number {
  return withinMs ?? Math.max(defaultWithinMs, 2 * (stableMs ?? 0));
}

/** Returns whether a scenario limits the time itself in which its world must be right. */
export function isLimited<X extends Externals>({ withinMs }: Scenario<X>): boolean {
  return withinMs !== undefined;
}

/** Milliseconds for which the world of a scenario must stay right. */
export function stableMsOf<X extends Externals>({ stableMs }: Scenario<X>): number {
  return stableMs ?? defaultStableMs;
}

const functions: OptionCheck = {
  mustBe: "an object of functions",
  isValid: (value) =>
    object.isValid(value) && Object.values(value as object).every(callback.isValid),
};

const duration: OptionCheck = {
  mustBe: "a finite number above 0",
  hint: "in milliseconds of the scenario's clock",
  isValid: (value) => typeof value === "number" && value > 0 && value < Number.POSITIVE_INFINITY,
};

/** Names and checks of {@link Scenario}. */
const scenarioOptions: OptionTable<Scenario> = {
  converged: callback,
  externals: functions,
  ignore: callback,
  invariants: functions,
  load: {
    mustBe: "YAML or JSON as text, an array of objects, or { path: the name of a file or folder }",
    isValid: (value) =>
      typeof value === "string" ||
      (Array.isArray(value) && value.every(object.isValid)) ||
      object.isValid(value),
  },
  manager: object,
  name: text,
  operator: callback,
  server: object,
  stableMs: duration,
  steps: functions,
  withinMs: duration,
};

/** Options that a scenario can't set: they belong to the search. */
const ownServerOptions = ["clock", "journalLimit", "load", "onError", "seed"];
const ownManagerOptions = ["clock", "controllers", "log", "onError", "random", "signal"];

function without(table: AnyOptionTable, names: readonly string[]): AnyOptionTable {
  return Object.fromEntries(Object.entries(table).filter(([name]) => !names.includes(name)));
}

/**
 * Checks a scenario, and returns the names of its steps.
 *
 * @throws {KubeError} `InvalidArgument` that names the wrong part.
 */
export function assertScenario<X extends Externals>(scenario: Scenario<X>): string[] {
  if (!object.isValid(scenario)) {
    throw new KubeError("InvalidArgument", "the scenario of explore() must be an object");
  }
  assertOptions("a scenario", scenario, scenarioOptions);
  const { load, manager = {}, operator, server = {}, steps } = scenario;
  assertLoad(load);
  assertOptions(
    "server of a scenario",
    server,
    without(apiServerOptions, ownServerOptions),
    "server.",
  );
  assertOptions(
    "manager of a scenario",
    manager,
    without(managerOptions, ownManagerOptions),
    "manager.",
  );
  if (operator === undefined) {
    throw new KubeError("InvalidArgument", "the scenario has no operator", {
      hint: "give a function that returns controllers, or a promise that lasts as long as it works",
    });
  }
  assertNoIdentity(manager.leaderElection);
  assertTimes(scenario);
  return assertSteps(steps);
}

/** Each process needs an identity of its own, by which the search recognizes who leads. */
function assertNoIdentity(leaderElection: unknown): void {
  if ((leaderElection as { readonly identity?: unknown } | undefined)?.identity !== undefined) {
    throw new KubeError("InvalidArgument", "manager.leaderElection.identity can't be set here", {
      hint: "leave it out: each process gets its own",
    });
  }
}

function assertAtMost(name: string, value: number, largest: number, what: string): void {
  if (value > largest) {
    throw new KubeError(
      "InvalidArgument",
      `${name} must be a number of at most ${largest} milliseconds (${what}), not ${value}`,
      { hint: "a run waits for timers that fire less often by itself, up to a day" },
    );
  }
}

function assertTimes<X extends Externals>(scenario: Scenario<X>): void {
  assertAtMost("stableMs", stableMsOf(scenario), largestStableMs, "a day");
  assertAtMost("withinMs", withinMsOf(scenario), largestWithinMs, "two days");
  const shortestMs = 2 * stableMsOf(scenario);
  const withinMs = withinMsOf(scenario);
  if (withinMs < shortestMs) {
    throw new KubeError(
      "InvalidArgument",
      `withinMs must be a number of at least ${shortestMs} milliseconds, not ${withinMs}`,
      { hint: `the world must stay right for ${stableMsOf(scenario)} ms of them: stableMs` },
    );
  }
}

function assertSteps(steps: Readonly<Record<string, unknown>> | undefined): string[] {
  const names = Object.keys(steps ?? {});
  if (names.length === 0) {
    throw new KubeError("InvalidArgument", "the scenario has no steps", {
      hint: 'give what a user does, by name: steps: { "create a shop": (client) => … }',
    });
  }
  const number = names.find((name) => /^\d+$/.test(name));
  if (number !== undefined) {
    throw new KubeError("InvalidArgument", `the step "${number}" is named by a number`, {
      hint: "JavaScript moves such names to the front: say what the user does",
    });
  }
  return names;
}
