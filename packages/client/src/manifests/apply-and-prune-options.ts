import type { DeleteOptions } from "../options/options.js";
import type { ApplySetReference } from "./apply-set.js";
import type { ApplyAllOptions } from "./manifest-result.js";

/** Options of an apply that also prunes objects which are no longer in the manifests. */
export interface ApplyAndPruneOptions extends Omit<ApplyAllOptions, "onFailure"> {
  /** The ApplySet that the manifests form. Created when it does not exist. */
  readonly applySet: ApplySetReference;
  /** Garbage collection of a pruned object's dependents. Default: the server's, usually `Background`. */
  readonly propagationPolicy?: DeleteOptions["propagationPolicy"];
  /** Allows empty manifests, which prune everything. Default false: empty manifests are rejected. */
  readonly allowEmpty?: boolean | undefined;
}
