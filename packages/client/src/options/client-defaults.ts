import type { RedactedResource } from "@typekube/core";
import {
  assertLimits,
  assertOptions,
  type Limits,
  type OptionTable,
} from "@typekube/core/internal";
import { assertIsOptions } from "./call-options.js";
import type { Encoding } from "./encoding-options.js";
import { type WriteOptions, writeOptions } from "./write-options.js";

/** Defaults for every call of a client, set by `connect` or `client.with()`. */
export interface ClientDefaults
  extends Pick<
    WriteOptions,
    "dryRun" | "fieldManager" | "fieldValidation" | "impersonate" | "onWarning" | "timeoutMs"
  > {
  /** Default `auto`. */
  readonly encoding?: Encoding | undefined;
  /** Size limits for responses. Defaults: see {@link Limits}. */
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Resources whose values errors must not show, in addition to Secrets. An entry is a descriptor; to hide some fields
   * only, `{ ...ApiKey, fields: ["spec.key"] }`. Servers quote an invalid value in errors, and the whole object when a
   * patch does not fit it.
   */
  readonly redactErrors?: readonly RedactedResource[] | undefined;
}

/** Other values than that of `dryRun` are checked by the calls that use them. */
const clientDefaults: OptionTable<ClientDefaults> = {
  dryRun: writeOptions.dryRun,
  encoding: true,
  fieldManager: true,
  fieldValidation: true,
  impersonate: true,
  limits: true,
  onWarning: true,
  redactErrors: true,
  timeoutMs: true,
};

/**
 * Rejects unknown client defaults, an invalid `dryRun`, and unknown or invalid limits.
 *
 * @param who - the function that takes the defaults, for the message.
 * @throws {KubeError} `InvalidArgument` naming the default or limit.
 */
export function assertDefaults(who: string, defaults: ClientDefaults): void {
  assertIsOptions(defaults);
  assertOptions(who, defaults, clientDefaults);
  assertLimits(defaults.limits ?? {});
}
