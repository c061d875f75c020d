import { assertIsOptions, assertSignalAndTimeout } from "@typekube/client";
import { KubeError } from "@typekube/core";
import type { WaitOptions } from "./informer-options.js";

/**
 * Refuses a wait that would end when it should not, or never: the mistake would be told when the time is up, if at all.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertWait(options: WaitOptions): void {
  assertIsOptions(options);
  assertSignalAndTimeout(options, "milliseconds; leave it out to wait without a limit");
}

/**
 * Refuses a name that no object has, and a condition that cannot be asked.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertWaitFor(name: string, condition: unknown): void {
  if (typeof name !== "string" || /^$|^\.{1,2}$|[/%]/.test(name)) {
    throw new KubeError("InvalidArgument", `no object is called ${JSON.stringify(name)}`);
  }
  if (typeof condition !== "function") {
    throw new KubeError("InvalidArgument", "a condition to wait for must be a function", {
      hint: 'condition("Ready"), exists(), deleted() and jsonPath(".status.phase", "Running") make one',
    });
  }
}
