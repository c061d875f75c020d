import type { NestedOptions, OptionTable } from "@typekube/core/internal";
import type { DeleteOptions } from "./delete-options.js";
import {
  type ApplyAllOptions,
  applyAllOptions,
  type ManifestTextOptions,
} from "./manifest-options.js";
import type { ApplyOptions } from "./write-options.js";

/** An ApplySet, identified by the ConfigMap that stores its inventory. */
export interface ApplySetReference {
  /** Name of the ConfigMap. */
  readonly name: string;
  /** Namespace of the ConfigMap, which must exist. Default: the client's namespace. */
  readonly namespace?: string | undefined;
}

/** Names of {@link ApplySetReference}. */
export const applySet: NestedOptions = {
  call: "an ApplySet",
  table: { name: true, namespace: true } satisfies OptionTable<ApplySetReference>,
};

/** Options of an apply that also prunes objects which are no longer in the manifests. */
export interface ApplyAndPruneOptions extends Omit<ApplyAllOptions, "onFailure"> {
  /** The ApplySet that the manifests form. Created when it does not exist. */
  readonly applySet: ApplySetReference;
  /** Garbage collection of a pruned object's dependents. Default: the server's, usually `Background`. */
  readonly propagationPolicy?: DeleteOptions["propagationPolicy"];
  /** Allows empty manifests, which prune everything. Default false: empty manifests are rejected. */
  readonly allowEmpty?: boolean | undefined;
}

/** Names and checks of {@link ApplyAndPruneOptions}. */
export const applyAndPruneOptions: OptionTable<ApplyAndPruneOptions> = {
  ...applyAllOptions,
  allowEmpty: true,
  applySet,
  propagationPolicy: true,
};

/** Options of a diff: those of the apply that it previews. */
export interface DiffOptions extends Omit<ApplyOptions, "dryRun">, ManifestTextOptions {
  /** The ApplySet that the apply would use, if any. */
  readonly applySet?: ApplySetReference | undefined;
  /** `throw` (default) fails when an object cannot be compared; `report` returns failures in `failed`. */
  readonly onFailure?: "report" | "throw" | undefined;
}

/** Names and checks of {@link DiffOptions}. */
export const diffOptions: OptionTable<DiffOptions> = {
  ...applyAllOptions,
  applySet,
};
