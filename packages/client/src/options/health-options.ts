import type { OptionTable } from "@typekube/core/internal";
import { type CallOptions, callOptions } from "./call-options.js";

/** Options of a health request. */
export interface HealthOptions extends CallOptions {
  /**
   * Requests the result of each check. Default true; with false the server reports the verdict alone, and the list of
   * checks is empty unless the verdict fails.
   */
  readonly verbose?: boolean | undefined;
  /** Names of checks that the verdict leaves out. Servers accept unknown names. */
  readonly exclude?: readonly string[] | undefined;
  /** Runs one check alone, by its name in the list: `etcd`, `poststarthook/rbac/bootstrap-roles`. */
  readonly check?: string | undefined;
}

/** Names and checks of {@link HealthOptions}. */
export const healthOptions: OptionTable<HealthOptions> = {
  ...callOptions,
  check: true,
  exclude: true,
  verbose: true,
};
