/** Behaviour of real servers that differs between kinds. */
export interface ResourceRules {
  /** `true` for kinds that are not part of Kubernetes. */
  readonly custom: boolean;
  /** `true` when `metadata.generation` counts changes of the desired state. */
  readonly generation: boolean;
  /** `true` when changed annotations also increase the generation. */
  readonly generationOnAnnotations: boolean;
  /** `true` when PUT of a missing object creates it. */
  readonly createOnUpdate: boolean;
  /** `true` when PUT without a resourceVersion overwrites. */
  readonly unconditionalUpdate: boolean;
  /** `true` when a delete returns the object instead of a Status. */
  readonly returnDeleted: boolean;
  /** `true` when the status given on create is kept. */
  readonly statusOnCreate: boolean;
  /** Metadata that a write through `status` may change. */
  readonly statusMetadata: "all" | "none" | "withoutLabels" | "withoutOwners";
  /** Validation rule for names. */
  readonly names: "address" | "label" | "path" | "service" | "subdomain";
  /** `true` when a delete without a propagation policy orphans the dependents. */
  readonly orphansDependents: boolean;
  /** `true` when an object that is removed at once is first stored with a grace period of 0. */
  readonly removedInTwoSteps: boolean;
  /** `true` when conflicts of a delete name the resource instead of the kind. */
  readonly conflictsNameResource: boolean;
  /** `true` when clients own the spec only through the subresource `finalize`. */
  readonly specOwnedByFinalize: boolean;
}

/** Rules of built-in kinds whose strategy names no others. */
export const builtInRules: ResourceRules = {
  custom: false,
  generation: false,
  generationOnAnnotations: false,
  createOnUpdate: false,
  unconditionalUpdate: true,
  returnDeleted: false,
  statusOnCreate: false,
  statusMetadata: "all",
  names: "subdomain",
  orphansDependents: false,
  removedInTwoSteps: false,
  conflictsNameResource: false,
  specOwnedByFinalize: false,
};

/** Rules of kinds that are not part of Kubernetes. */
export const customRules: ResourceRules = {
  ...builtInRules,
  custom: true,
  generation: true,
  unconditionalUpdate: false,
  statusMetadata: "none",
};
