import { assertIsOptions, assertSignalAndTimeout } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import type { WaitOptions } from "./informer-options.js";

/**
 * Refuses a wait that would end when it should not, or never: the mistake would be told when the time is up, if at all.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertWait(options: WaitOptions): void {
  assertIsOptions(options);
  assertSignalAndTimeout(options, "in milliseconds; omit it to wait without a limit");
}

/**
 * Refuses a name that no object has, and a condition that cannot be asked.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertWaitFor(name: string, condition: unknown): void {
  if (typeof name !== "string" || /^$|^\.{1,2}$|[/%]/.test(name)) {
    throw new KubeError("InvalidArgument", `${JSON.stringify(name)} is not a valid object name`);
  }
  if (typeof condition !== "function") {
    throw new KubeError("InvalidArgument", "a condition to wait for must be a function", {
      hint: 'condition("Ready"), exists(), deleted() and jsonPath(".status.phase", "Running") make one',
    });
  }
}

/**
 * Refuses a version that no write returns: it would be waited for without an end.
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
