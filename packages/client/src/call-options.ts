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
 * Refuses what every call takes and cannot use.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertCallOptions(options: CallOptions): void {
  assertIsOptions(options);
  assertSignalAndTimeout(options, "in milliseconds; 0 or Infinity means no limit");
}

/**
 * Refuses what ends a call or a wait where it cannot: a deadline that is NaN would be none, and what only looks like a signal would
 * end nothing.
 *
 * @param unit - what a limit is counted in, and how to have none: the way out that the error names.
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertSignalAndTimeout(
  { signal, timeoutMs }: Pick<CallOptions, "signal" | "timeoutMs">,
  unit: string,
): void {
  if (signal && typeof signal.throwIfAborted !== "function") {
    throw new KubeError("InvalidArgument", "signal: must be an AbortSignal", {
      hint: "pass the signal of an AbortController",
    });
  }
  if (!((timeoutMs ?? 0) >= 0) || typeof (timeoutMs ?? 0) !== "number") {
    throw new KubeError("InvalidArgument", "timeoutMs: must be a number of 0 or more", {
      hint: unit,
    });
  }
}

/**
 * Refuses a time that limits nothing: NaN would be waited for without an end, or not at all.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertMilliseconds(name: string, value: number | undefined): void {
  if (value !== undefined && (typeof value !== "number" || !(value >= 0))) {
    throw new KubeError("InvalidArgument", `${name}: must be a number of 0 or more`, {
      hint: "in milliseconds; Infinity means no limit",
    });
  }
}
