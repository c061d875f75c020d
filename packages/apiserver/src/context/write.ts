import type { ApiObject } from "../objects/api-object.js";
import type { JsonObject } from "../objects/json-value.js";
import type { ResourceRequest } from "../request/request-info.js";
import type { WriteOptions } from "../request/write-options.js";
import type { StrategyWrite } from "../resources/kind-strategy.js";
import type { TypedForm } from "../resources/typed-form.js";
import type { SchemaNode } from "../schema/schema-node.js";
import type { AdmissionScope } from "./admission-scope.js";

/** A write in progress: its request, schema, options and warnings. */
export interface Write extends AdmissionScope {
  readonly request: ResourceRequest;
  readonly schema: SchemaNode;
  /** Typed form of the kind's objects; absent for kinds without a Go type. */
  readonly form: TypedForm | undefined;
  readonly options: WriteOptions;
  /** `true` for a patch or an apply: a changed UID is then a field error, not a failed precondition. */
  readonly patch: boolean;
  /** Admission of this write. */
  readonly admission: Admission;
  /** Replaces the recording of an Update manager; used by server-side apply. */
  readonly manage?: ((object: ApiObject, before: ApiObject | undefined) => ApiObject) | undefined;
  /** The object as the client sent it, in which mutating webhooks see it. Default: the object that is written. */
  readonly sent?: ApiObject | undefined;
  /** `true` when the name of the new object was generated. */
  readonly isNameGenerated?: boolean | undefined;
  /** The form in which webhooks and policies see the object. Default: the object itself. */
  readonly view?: AdmissionView | undefined;
}

/** Another form of an object for admission, such as the Scale of a workload. */
export interface AdmissionView {
  /** Returns the form that an object has. */
  of(object: ApiObject): JsonObject;
  /** Returns the object with the values of an admitted form. */
  into(object: ApiObject, admitted: JsonObject): ApiObject;
}

/** Admission of writes: authorization by content, mutation and validation. */
export interface Admission {
  /**
   * Makes the permission checks that need the resulting object.
   *
   * @throws {StatusError} 403.
   */
  authorize(write: Write, object: ApiObject, old: ApiObject | undefined): void;
  /** Completes an object before validation. No field manager owns the result. */
  mutate(write: Write, object: ApiObject, old: ApiObject | undefined): ApiObject;
  /**
   * Decides on a valid object; the quotas come last.
   *
   * @returns a function that charges the quotas, to be called when the object is stored.
   * @throws {StatusError} 403 for a write that is not admitted.
   */
  validate(write: Write, object: ApiObject, old: ApiObject | undefined): () => void;
}

/** Returns a write as strategies see it. */
export function strategyWrite({ server, request, warnings }: Write): StrategyWrite {
  return {
    server,
    subresource: request.subresource,
    user: request.user,
    warn: (text) => warnings.push(text),
  };
}

/** The outcome of a write. */
export interface Written {
  readonly object: ApiObject;
  readonly created: boolean;
}
