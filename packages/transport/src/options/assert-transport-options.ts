import { KubeError } from "@typekube/core";
import {
  assertKnownOptions,
  assertLimits,
  assertOptions,
  integerFrom,
  type Limits,
  optionProblems,
} from "@typekube/core/internal";
import { rateLimitOptions } from "../retry/rate-limit.js";
import { tlsOptions } from "../tls/tls-options.js";
import { type TransportOptions, transportOptions } from "./transport-options.js";

/** For any other value undici uses its own default, which is a fourth of ours. */
const ownLimits = { maxHeaderBytes: integerFrom(0) };

/**
 * Rejects unknown options of a transport and of its parts. A custom limiter may have any members.
 *
 * @throws {KubeError} `InvalidArgument`, naming the option.
 */
export function assertTransportOptions(options: TransportOptions): void {
  if (typeof options !== "object" || options === null) {
    const kind = options === null ? "null" : typeof options;
    throw new KubeError("InvalidArgument", `options: must be an object, not ${kind}`);
  }
  const { tls = {}, limits = {}, rateLimit = {} } = options;
  assertKnownOptions("a transport", options, transportOptions);
  assertOptions("tls", tls, tlsOptions);
  assertLimits(limits);
  if (!("take" in rateLimit)) {
    assertOptions("rateLimit", rateLimit, rateLimitOptions);
  }
}

/**
 * Rejects invalid numbers, such as those from an unset environment variable: a limit of NaN would not limit anything.
 *
 * @throws {KubeError} `Config`, naming all invalid numbers.
 */
export function assertNumbers(settings: { readonly limits: Limits }): void {
  const problems = [
    ...optionProblems(settings, transportOptions),
    ...optionProblems(settings.limits, ownLimits, "limits."),
  ];
  if (problems.length > 0) {
    throw new KubeError("Config", problems.join("; "));
  }
}
