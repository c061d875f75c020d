import { KubeError } from "@typekube/core";
import type { Limits } from "@typekube/core/internal";

/** Options that must be 0 or more; Infinity is allowed. */
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
 * Rejects invalid numbers, such as those from an unset environment variable: a limit of NaN would not limit anything.
 *
 * @throws {KubeError} `Config`, naming all invalid numbers.
 */
export function checkNumbers(
  settings: Readonly<Record<Amount | "connections", number>> & { readonly limits: Limits },
): void {
  const problems = amounts
    .filter((name) => !(settings[name] >= 0))
    .map((name) => `${name} is ${settings[name]}, but must be a number of at least 0`);
  const { connections } = settings;
  if (!Number.isSafeInteger(connections) || connections < 1) {
    problems.push(`connections is ${connections}, but must be an integer of at least 1`);
  }
  const { maxHeaderBytes } = settings.limits;
  if (!Number.isSafeInteger(maxHeaderBytes)) {
    // For any other value undici uses its own default, which is a fourth of ours.
    problems.push(
      `limits.maxHeaderBytes is ${maxHeaderBytes}, but must be an integer of at least 0`,
    );
  }
  if (problems.length > 0) {
    throw new KubeError("Config", problems.join("; "));
  }
}
