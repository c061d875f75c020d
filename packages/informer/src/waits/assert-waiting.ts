import { assertIsOptions, assertSignalAndTimeout } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import type { WaitOptions } from "../options/wait-options.js";

/**
 * Rejects invalid wait options. The wait would end too early or never, and the mistake would show only at the timeout,
 * if at all.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertWait(options: WaitOptions): void {
  assertIsOptions(options);
  assertSignalAndTimeout(options, "in milliseconds; omit it to wait without a limit");
}

/**
 * Rejects an invalid object name, and a condition that is not a function.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertWaitFor(name: string, condition: unknown): void {
  if (typeof name !== "string" || /^$|^\.{1,2}$|[/%]/.test(name)) {
    throw new KubeError("InvalidArgument", `${JSON.stringify(name)} is not a valid object name`);
  }
  if (typeof condition !== "function") {
    throw new KubeError("InvalidArgument", "a condition to wait for must be a function", {
      hint: 'create one with conditions.has("Ready"), conditions.exists(), conditions.deleted() or conditions.jsonPath(".status.phase", "Running")',
    });
  }
}

/**
 * Rejects a resourceVersion that no write returns: a wait for it would never end.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertVersion(resourceVersion: unknown): void {
  if (typeof resourceVersion !== "string" || resourceVersion === "" || resourceVersion === "0") {
    const what = JSON.stringify(resourceVersion) ?? "undefined";
    throw new KubeError("InvalidArgument", `${what} is not a resourceVersion`, {
      hint: "use metadata.resourceVersion of the object that a write returned",
    });
  }
}
