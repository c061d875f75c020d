import { KubeError } from "@typekube/core";
import type { CallOptions } from "./options.js";

/**
 * Rejects values that are not an options object. The compiler does not see those from JavaScript callers or
 * configuration files.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertIsOptions(options: unknown): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    const kind = Array.isArray(options) ? "a list" : options === null ? "null" : typeof options;
    throw new KubeError("InvalidArgument", `options: must be an object, not ${kind}`, {
      hint: "pass options by name, such as { timeoutMs: 5_000 }",
    });
  }
}

/**
 * Validates the options common to all calls: `signal` and `timeoutMs`.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertCallOptions(options: CallOptions): void {
  assertIsOptions(options);
  assertSignalAndTimeout(options, "in milliseconds; 0 or Infinity means no limit");
}

/**
 * Rejects a `signal` or `timeoutMs` that could never end a call or a wait: NaN would mean no deadline, and an object
 * that only resembles a signal would never abort.
 *
 * @param unit - the unit of the limit and how to disable it; becomes the hint of the error.
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
    throw new KubeError("InvalidArgument", "timeoutMs: must be a number of at least 0", {
      hint: unit,
    });
  }
}

/**
 * Rejects a duration that is not a number of at least 0: NaN would wait indefinitely or not at all.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertMilliseconds(name: string, value: number | undefined): void {
  if (value !== undefined && (typeof value !== "number" || !(value >= 0))) {
    throw new KubeError("InvalidArgument", `${name}: must be a number of at least 0`, {
      hint: "in milliseconds; Infinity means no limit",
    });
  }
}
