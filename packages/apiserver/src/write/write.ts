import type { ResourceRequest } from "../request/request-info.js";
import type { WriteOptions } from "../request/write-options.js";
import type { SchemaNode } from "../schema/schema-node.js";
import type { TypedForm } from "../schema/typed-form.js";
import type { ServerContext } from "../server-context.js";
import type { ApiObject } from "../store/stored-object.js";

/** One write on its way: who asks for what, by which schema, and what it warns of. */
export interface Write {
  readonly server: ServerContext;
  readonly request: ResourceRequest;
  readonly schema: SchemaNode;
  /** How objects of the kind are kept; absent for kinds without a Go type. */
  readonly form: TypedForm | undefined;
  readonly options: WriteOptions;
  /** Texts for `Warning` headers. */
  readonly warnings: string[];
  /** A patch or an apply: a changed uid is a mistake in the object, not a failed precondition. */
  readonly patch: boolean;
  /** Replaces the recording of an Update manager: server-side apply does its own. */
  readonly manage?: ((object: ApiObject, before: ApiObject | undefined) => ApiObject) | undefined;
}

/** The outcome of a write. */
export interface Written {
  readonly object: ApiObject;
  readonly created: boolean;
}
