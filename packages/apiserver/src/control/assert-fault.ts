import { KubeError } from "@typekube/core";
import type { FaultRule } from "./fault-rule.js";

/** The verbs of resources, and the methods by which other paths are asked. */
const verbs = new Set(
  "get list watch create update patch delete deletecollection head options post put".split(" "),
);
/** What goes wrong with a request. Reasons, messages and the like say how, not that. */
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
const counts = ["delayMs", "cutAfterBytes", "staleBy", "retryAfterSeconds", "skip"] as const;

/**
 * Refuses rules by which nothing would ever go wrong, or something else than they say: a test that sets one would pass for
 * no reason.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertFault(rule: FaultRule): void {
  for (const problem of problemsOf(rule)) {
    throw new KubeError("InvalidArgument", `a fault that cannot be meant: ${problem}`);
  }
}

function* problemsOf(rule: FaultRule): Generator<string, void, undefined> {
  const { verb, status, drip, times = 1 } = rule;
  if (verb !== undefined && !verbs.has(verb)) {
    yield `there is no verb ${JSON.stringify(verb)}`;
  }
  if (effects.every((key) => rule[key] === undefined)) {
    yield `nothing goes wrong by it: it has none of ${effects.join(", ")}`;
  }
  if (status !== undefined && !(status >= 400 && status <= 599)) {
    yield `the status ${status} is no failure`;
  }
  for (const key of counts) {
    if (!isCount(rule[key] ?? 0)) {
      yield `${key} is ${rule[key]}`;
    }
  }
  if (drip !== undefined && !(drip.bytes >= 1 && isCount(drip.everyMs))) {
    yield "drip needs a byte at a time or more, and a time between them";
  }
  if (times !== Number.POSITIVE_INFINITY && !isCount(times)) {
    yield `it cannot strike ${times} times`;
  }
}

function isCount(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}
