import type { ReadSource } from "../options/check-input.js";

/** Sources of a check. */
export interface RunSources {
  readonly input: readonly ReadSource[];
  readonly crds: readonly ReadSource[];
  readonly policies: readonly ReadSource[];
  /** Objects of a cluster, which those of the other sources replace. */
  readonly snapshot: readonly ReadSource[];
  readonly against: readonly ReadSource[];
}
