import type { DeleteOptions } from "../options.js";
import type { ApplySetReference } from "./apply-set.js";
import type { ApplyAllOptions } from "./manifest-result.js";

/** Options of an apply that also deletes what is no longer among the manifests. */
export interface ApplyAndPruneOptions extends Omit<ApplyAllOptions, "onFailure"> {
  /** The set that the manifests are. It is made when it is not there. */
  readonly applySet: ApplySetReference;
  /** What becomes of the objects that a pruned one owns. Default: the server's, mostly `Background`. */
  readonly propagationPolicy?: DeleteOptions["propagationPolicy"];
  /** Let no manifests at all mean that everything is pruned. Default false: they are refused. */
  readonly allowEmpty?: boolean | undefined;
}
