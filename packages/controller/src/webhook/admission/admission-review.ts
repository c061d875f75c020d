import type { KubeObject, Live } from "@typekube/api";
import type { UserInfo } from "@typekube/api/authentication/v1";
import type { GroupVersionKind, ObjectMeta } from "@typekube/api/meta/v1";
import type { JsonObject } from "@typekube/core/internal";
import type { Denial, DenyOptions } from "./denial.js";

/** Operations that admission webhooks review, in the API's spelling. */
export type AdmissionOperation = "CONNECT" | "CREATE" | "DELETE" | "UPDATE";

/** An object under review: on a create, the server has not set its uid and resourceVersion yet. */
export type Reviewed<T extends KubeObject> = T & {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
};

/** The parts of a review that do not depend on the operation. */
export interface AdmissionContext {
  /** Identifies the review. */
  readonly uid: string;
  /** Name of the object; `undefined` on a create with `generateName`. */
  readonly name: string | undefined;
  /** Namespace of the object; `undefined` for objects of the cluster. */
  readonly namespace: string | undefined;
  /** The user who sends the request. */
  readonly user: UserInfo;
  /** `true` when the request must have no effect: the result is not stored. */
  readonly dryRun: boolean;
  /** Subresource of the request, such as `status`; `undefined` for the object itself. */
  readonly subresource: string | undefined;
  /** Kind that the user sent, which the server may have converted for the webhook. */
  readonly requestKind: GroupVersionKind | undefined;
  /** Options of the request, such as a `CreateOptions`. */
  readonly options: JsonObject | undefined;
  /** Aborts shortly before the API server stops waiting. */
  readonly signal: AbortSignal;
  /** Returns the denial of the request, for `return deny("host is immutable", { field: "spec.host" })`. */
  deny(message: string, options?: DenyOptions): Denial;
  /** Returns nothing: the request is allowed, which is also what a handler without a return statement says. */
  allow(): undefined;
  /** Adds a warning for the user. kubectl prints it. At most about 120 characters, without the word "Warning". */
  warn(message: string): void;
  /**
   * Adds an annotation to the audit event of the request. The server puts the webhook's name in front of the key.
   *
   * @throws {KubeError} `InvalidArgument` for a key that is no name.
   */
  audit(key: string, value: string): void;
  /**
   * Does something that is visible outside of the response, and skips it in a dry run. Writes of clients of this library
   * need no such care.
   *
   * @throws {KubeError} `InvalidState` unless the handler has `sideEffects: "NoneOnDryRun"`.
   */
  sideEffect<R>(run: () => Promise<R> | R): Promise<R | undefined>;
}

/** One operation with the objects that it has. */
type ReviewOf<T extends KubeObject, O extends AdmissionOperation> = O extends "CREATE"
  ? { readonly operation: O; readonly object: Reviewed<T>; readonly oldObject: undefined }
  : O extends "UPDATE"
    ? { readonly operation: O; readonly object: Reviewed<T>; readonly oldObject: Live<T> }
    : O extends "DELETE"
      ? { readonly operation: O; readonly object: undefined; readonly oldObject: Live<T> }
      : { readonly operation: O; readonly object: T; readonly oldObject: undefined };

/**
 * A request under review. The operation decides which objects there are: an update has both, a delete only the old one.
 */
export type AdmissionReview<
  T extends KubeObject = KubeObject,
  O extends AdmissionOperation = AdmissionOperation,
> = AdmissionContext & ReviewOf<T, O>;
