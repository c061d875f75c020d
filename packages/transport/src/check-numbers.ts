import { KubeError } from "@typekube/core";
import type { TransportSettings } from "./transport-options.js";

/** Numbers of 0 or more, each of which may be Infinity. */
const amounts = [
  "attemptTimeoutMs",
  "connectTimeoutMs",
  "headersTimeoutMs",
  "maxRetries",
  "pingIntervalMs",
  "pingTimeoutMs",
  "timeoutMs",
] as const;

type Amount = (typeof amounts)[number];

/**
 * Refuses numbers that mean nothing, as those of an environment variable that is not set: a limit that is NaN would be none.
 *
 * @throws {KubeError} `Config`, naming all of them.
 */
export function checkNumbers(
  settings: Readonly<Record<Amount | "connections", number>> & Pick<TransportSettings, "limits">,
): void {
  const problems = amounts
    .filter((name) => !(settings[name] >= 0))
    .map((name) => `${name} is ${settings[name]}; it must be a number of 0 or more`);
  const { connections } = settings;
  if (!Number.isSafeInteger(connections) || connections < 1) {
    problems.push(`connections is ${connections}; it must be a whole number of 1 or more`);
  }
  const { maxHeaderBytes } = settings.limits;
  if (!Number.isSafeInteger(maxHeaderBytes)) {
    // undici takes any other for none, and its own default is a fourth of ours.
    problems.push(`limits.maxHeaderBytes is ${maxHeaderBytes}; it must be a whole number`);
  }
  if (problems.length > 0) {
    throw new KubeError("Config", problems.join("; "));
  }
}
