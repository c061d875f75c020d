import { KubeError } from "@typekube/core";
import { assertOptions } from "@typekube/core/internal";
import { type FaultRule, faultRuleOptions, strikes } from "./fault-rule.js";

/** Verbs of resource requests, and methods of requests to other paths. */
const verbs = new Set(
  "get list watch create update patch delete deletecollection head options post put".split(" "),
);
/** Fields that inject a fault. The others, such as reason and message, only configure it. */
const effects = [
  "status",
  "delayMs",
  "hang",
  "reset",
  "cutAfterBytes",
  "drip",
  "garbage",
  "staleBy",
  "eventError",
  "event",
] as const;
const counts = ["cutAfterBytes", "staleBy", "retryAfterSeconds", "skip"] as const;

/** Allowed values of fields with a fixed choice. */
const words = {
  hang: [true],
  garbage: [true],
  reset: [true, "after", "before"],
  event: ["drop", "duplicate", "expire", "half"],
  eventType: ["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"],
} satisfies { readonly [K in keyof FaultRule]: readonly FaultRule[K][] };

/**
 * Rejects rules that have no effect or a different one than they state: a test with such a rule would pass for the
 * wrong reason.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertFault(rule: FaultRule): void {
  assertOptions("a fault", rule, faultRuleOptions);
  for (const problem of problemsOf(rule)) {
    throw new KubeError("InvalidArgument", `invalid fault: ${problem}`);
  }
}

function* problemsOf(rule: FaultRule): Generator<string, void, undefined> {
  yield* problemsOfChoice(rule);
  yield* problemsOfEvents(rule);
  const { status, delayMs = 0, drip, times = 1 } = rule;
  if (effects.every((key) => rule[key] === undefined)) {
    yield `the rule has no effect: set one of ${effects.join(", ")}`;
  }
  for (const [key, allowed] of Object.entries(words)) {
    const value = rule[key as keyof typeof words];
    if (value !== undefined && !(allowed as readonly unknown[]).includes(value)) {
      yield `${key} is ${JSON.stringify(value)}, but must be one of ${allowed.join(", ")}`;
    }
  }
  if (status !== undefined && !(Number.isInteger(status) && status >= 400 && status <= 599)) {
    yield `status is ${status}, but must be an integer from 400 to 599`;
  }
  for (const key of counts) {
    if (!isCount(rule[key] ?? 0)) {
      yield `${key} is ${rule[key]}, but must be an integer of at least 0`;
    }
  }
  if (!isTime(delayMs)) {
    yield `delayMs is ${delayMs}, but must be a number of at least 0`;
  }
  if (drip !== undefined && !(isCount(drip.bytes) && drip.bytes >= 1 && isTime(drip.everyMs))) {
    yield "drip.bytes must be an integer of at least 1, and drip.everyMs a number of at least 0";
  }
  if (times !== Number.POSITIVE_INFINITY && !isCount(times)) {
    yield `times is ${times}, but must be an integer of at least 0, or Infinity`;
  }
}

/** Yields problems of fields by which the rule could never match. */
function* problemsOfChoice(rule: FaultRule): Generator<string, void, undefined> {
  const { verb, resource, when } = rule;
  if (verb !== undefined && !verbs.has(verb)) {
    yield `unknown verb ${JSON.stringify(verb)}`;
  }
  if (verb !== undefined && rule.event === undefined && !strikes(rule, verb)) {
    yield `the effects of the rule do not apply to the verb ${verb}`;
  }
  if (resource !== undefined && !/^[a-z0-9-]+$/.test(resource)) {
    yield `resource is ${JSON.stringify(resource)}, but must be a plural name such as "pods"`;
  }
  if (when !== undefined && typeof when !== "function") {
    yield "when must be a function";
  }
}

/** Yields problems of event rules: they can't be combined with request faults. */
function* problemsOfEvents(rule: FaultRule): Generator<string, void, undefined> {
  if (rule.event === undefined) {
    if (rule.eventType !== undefined) {
      yield "eventType needs event";
    }
    return;
  }
  const other = effects.find((key) => key !== "event" && rule[key] !== undefined);
  if (other !== undefined) {
    yield `event cannot be combined with ${other}`;
  }
}

/** Returns whether a value is a non-negative integer. */
function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}

function isTime(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}
