import { KubeError } from "@typekube/core";
import {
  amount,
  assertOptionValues,
  type OptionCheck,
  type OptionTable,
} from "@typekube/core/internal";
import type { Impersonation } from "@typekube/transport";

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call at any time; the call then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline of the whole call, in milliseconds. Default: the transport's, 300,000. A watch has no deadline. */
  readonly timeoutMs?: number | undefined;
  /**
   * Called with the text of each warning in the response. It replaces the client's handler, which in turn replaces the
   * program's (see `setDefaultWarningHandler`); those two receive each text once per connection.
   */
  readonly onWarning?: ((text: string) => void) | undefined;
  /**
   * Makes the call as another user, whom the client's own user must be allowed to impersonate. Replaces the
   * impersonation of the client and of the connection, groups included. Discovery keeps the connection's identity.
   */
  readonly impersonate?: Impersonation | undefined;
}

/** An object that only resembles a signal would never abort. */
const abortSignal: OptionCheck = {
  mustBe: "an AbortSignal",
  hint: "pass the signal of an AbortController",
  isValid: (value) => !value || typeof (value as AbortSignal).throwIfAborted === "function",
};

const timeout: OptionCheck = {
  ...amount,
  hint: "in milliseconds; 0 or Infinity means no limit",
  isValid: (value) => value === null || amount.isValid(value),
};

/** Names and checks of {@link CallOptions}. */
export const callOptions: OptionTable<CallOptions> = {
  impersonate: true,
  onWarning: true,
  signal: abortSignal,
  timeoutMs: timeout,
};

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
 * Validates the options common to all calls.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertCallOptions(options: CallOptions): void {
  assertIsOptions(options);
  assertOptionValues(options, callOptions);
}

/**
 * Rejects a `signal` or `timeoutMs` that could never end a call or a wait.
 *
 * @param unit - the unit of the limit and how to disable it; becomes the hint of the error.
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertSignalAndTimeout(
  { signal, timeoutMs }: Pick<CallOptions, "signal" | "timeoutMs">,
  unit: string,
): void {
  assertOptionValues(
    { signal, timeoutMs },
    { signal: abortSignal, timeoutMs: { ...timeout, hint: unit } },
  );
}
