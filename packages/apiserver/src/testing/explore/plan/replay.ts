import { KubeError } from "@typekube/core";
import { type ExploredFault, type FaultType, faultTypes } from "../faults/explored-fault.js";

/** A run that can be repeated. */
export interface Replay {
  /** Numbers of the steps, from 1. */
  readonly steps: readonly number[];
  readonly faults: readonly ExploredFault[];
  /** Seed of the operator's random numbers. Default 1. */
  readonly seed?: number | undefined;
}

/** Returns a run as text. */
export function replayText({ steps, faults, seed = 1 }: Replay): string {
  return JSON.stringify({ steps, faults, ...(seed === 1 ? {} : { seed }) });
}

type Fields = Readonly<Record<string, unknown>>;

/** Check of one field of a fault. */
interface FieldCheck {
  readonly mustBe: string;
  readonly isValid: (value: unknown, stepCount: number) => boolean;
}

const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 1;
const count: FieldCheck = { mustBe: "a number from 1 on", isValid: isCount };
const flag: FieldCheck = {
  mustBe: "true, or left out",
  isValid: (value) => value === undefined || value === true,
};
const resource: FieldCheck = {
  mustBe: "the plural name of a resource",
  isValid: (value) => typeof value === "string" && value !== "",
};

function oneOf(...values: readonly unknown[]): FieldCheck {
  return { mustBe: values.join(" or "), isValid: (value) => values.includes(value) };
}

/** Longest jump of a clock, in milliseconds: a hundred years. Further ones would lead to no date. */
const longestJumpMs = 100 * 365 * 86_400_000;

const moment = oneOf("before", "after");

/** The fields of each type of fault. */
const fields: Readonly<Record<FaultType, Readonly<Record<string, FieldCheck>>>> = {
  crash: { call: count, when: moment, down: flag },
  cut: { resource, event: count, how: oneOf("break", "expire") },
  early: {
    step: {
      mustBe: "the number of a step",
      isValid: (value, stepCount) => isCount(value) && Number(value) <= stepCount,
    },
    call: count,
  },
  jump: {
    call: count,
    ms: {
      mustBe: `a number of milliseconds, at most ${longestJumpMs} either way`,
      isValid: (value) => typeof value === "number" && Math.abs(value) <= longestJumpMs,
    },
  },
  lag: {
    resource,
    event: count,
    calls: {
      mustBe: "a number from 0 on, or left out",
      isValid: (value) => value === undefined || value === 0 || isCount(value),
    },
    long: flag,
  },
  lose: { call: count, when: moment },
  miss: { resource, event: count, long: flag },
  pause: { call: count },
  refuse: { call: count, status: oneOf(409, 429, 500) },
  stale: { call: count, writes: count },
};

/** Returns what is wrong with a fault; `undefined` when it is complete. */
function faultProblem(fault: unknown, stepCount: number): string | undefined {
  const given = (typeof fault === "object" && fault !== null ? fault : {}) as Fields;
  const type = faultTypes.find((one) => one === given["type"]);
  if (type === undefined) {
    return `type must be one of ${faultTypes.join(", ")}`;
  }
  const wrong = Object.entries(fields[type]).find(
    ([name, { isValid }]) => !isValid(given[name], stepCount),
  );
  return wrong === undefined
    ? unknownField(given, `"${type}"`, ["type", ...Object.keys(fields[type])])
    : `${wrong[0]} of "${type}" must be ${wrong[1].mustBe}`;
}

/** Returns the error for a field that does not exist: an older or newer version may have written the replay. */
function unknownField(given: Fields, what: string, names: readonly string[]): string | undefined {
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  return unknown === undefined
    ? undefined
    : `${what} has no field ${JSON.stringify(unknown)}; its fields are ${names.join(", ")}`;
}

/** Returns what is wrong with a replay; `undefined` when it can be played. */
function replayProblem(replay: unknown, stepCount: number): string | undefined {
  if (typeof replay !== "object" || replay === null) {
    return "it is not an object in JSON";
  }
  const { steps, faults, seed = 1 } = replay as Fields;
  const areSteps =
    Array.isArray(steps) &&
    steps.length > 0 &&
    steps.every(
      (step, at) => isCount(step) && step <= stepCount && (at === 0 || step > steps[at - 1]),
    );
  if (!areSteps) {
    return `steps must be numbers from 1 to ${stepCount}, in their order`;
  }
  if (!Array.isArray(faults)) {
    return "faults must be an array";
  }
  for (const [at, fault] of faults.entries()) {
    const problem = faultProblem(fault, stepCount);
    if (problem !== undefined) {
      return `fault ${at + 1}: ${problem}`;
    }
  }
  if (!(Number.isInteger(seed) && Number(seed) >= 0)) {
    return "seed must be an integer from 0 on, or left out";
  }
  return unknownField(replay as Fields, "a replay", ["steps", "faults", "seed"]);
}

/**
 * Reads a run from text.
 *
 * @param stepCount - number of steps of the scenario.
 * @throws {KubeError} `InvalidArgument` for another text, and for one of another scenario.
 */
export function parseReplay(text: string, stepCount: number): Replay {
  let replay: unknown;
  try {
    replay = JSON.parse(text);
  } catch {
    replay = undefined;
  }
  const problem = replayProblem(replay, stepCount);
  if (problem !== undefined) {
    throw new KubeError(
      "InvalidArgument",
      `replay: the replay does not fit this scenario: ${problem}`,
      {
        hint: "give the text of a finding's replay; a scenario that has changed needs a new search",
      },
    );
  }
  const { steps, faults, seed } = replay as Replay;
  // A fault happens once.
  const once = new Map(faults.map((fault) => [JSON.stringify(fault), fault]));
  return { steps, faults: [...once.values()], seed };
}
