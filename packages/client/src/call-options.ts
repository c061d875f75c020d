import { KubeError } from "@typekube/core";
import type { CallOptions } from "./options.js";

/**
 * Refuses options that are none, which the compiler cannot always see: those of a JavaScript caller, or from a configuration.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertIsOptions(options: unknown): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new KubeError("InvalidArgument", "options: must be an object");
  }
}

/**
 * Refuses what every call takes and cannot use: a deadline that is NaN would be none, and what only looks like a signal would
 * end no call.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertCallOptions(options: CallOptions): void {
  assertIsOptions(options);
  const { signal, timeoutMs } = options;
  if (signal && typeof signal.throwIfAborted !== "function") {
    throw new KubeError("InvalidArgument", "signal: must be an AbortSignal", {
      hint: "an AbortController has one: controller.signal",
    });
  }
  if (!((timeoutMs ?? 0) >= 0) || typeof (timeoutMs ?? 0) !== "number") {
    throw new KubeError("InvalidArgument", "timeoutMs: must be a number of 0 or more", {
      hint: "milliseconds; 0 and Infinity are no limit",
    });
  }
}
