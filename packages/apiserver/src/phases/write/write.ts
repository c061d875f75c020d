import type { ServerContext } from "../../context/server-context.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { ResourceRequest } from "../../request/request-info.js";
import type { WriteOptions } from "../../request/write-options.js";
import type { TypedForm } from "../../resources/typed-form.js";
import type { SchemaNode } from "../../schema/schema-node.js";

/** A write in progress: its request, schema, options and warnings. */
export interface Write {
  readonly server: ServerContext;
  readonly request: ResourceRequest;
  readonly schema: SchemaNode;
  /** Typed form of the kind's objects; absent for kinds without a Go type. */
  readonly form: TypedForm | undefined;
  readonly options: WriteOptions;
  /** Texts for `Warning` headers. */
  readonly warnings: string[];
  /** `true` for a patch or an apply: a changed UID is then a field error, not a failed precondition. */
  readonly patch: boolean;
  /** Replaces the recording of an Update manager; used by server-side apply. */
  readonly manage?: ((object: ApiObject, before: ApiObject | undefined) => ApiObject) | undefined;
}

/** The outcome of a write. */
export interface Written {
  readonly object: ApiObject;
  readonly created: boolean;
}
