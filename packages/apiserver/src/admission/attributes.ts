import type { JsonObject } from "../objects/json-value.js";
import type { User } from "../objects/user.js";
import type { ServedResource } from "../resources/served-resource.js";

/** The operation that is admitted. */
export type AdmissionOperation = "CONNECT" | "CREATE" | "DELETE" | "UPDATE";

/** Group, version and kind of an object. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A request as admission plugins see it. (apiserver `admission.Attributes`) */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  /** The resource as requested. */
  readonly resource: ServedResource;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Kind of {@link object}, such as Scale for the subresource `scale`. */
  readonly kind: GroupVersionKind;
  /** Empty while the name is still to be generated, and for the items of a deleted collection. */
  readonly name: string;
  /** For a Namespace its own name. Empty for other cluster-scoped resources. */
  readonly namespace: string;
  /** Absent for DELETE. */
  readonly object: JsonObject | undefined;
  /** Absent for CREATE and CONNECT. */
  readonly oldObject: JsonObject | undefined;
  /** CreateOptions, UpdateOptions or DeleteOptions; absent for CONNECT. */
  readonly options: JsonObject | undefined;
  /** Absent for writes of the server itself. */
  readonly user: User | undefined;
  readonly dryRun: boolean;
}
