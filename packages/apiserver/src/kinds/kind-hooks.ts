import type { StatusCause } from "@typekube/core";
import type { ServerContext } from "../server-context.js";
import type { ApiObject } from "../store/stored-object.js";

/** What the server itself does to objects of one kind, beyond defaults that hang on a type alone. Nothing is changed in place. */
export interface KindHooks {
  /** Fills in what depends on the whole object; runs on every write. */
  defaults?(object: ApiObject): ApiObject;
  /** What the server cannot give to an object that is well otherwise, of what it asks for. */
  refuse?(object: ApiObject, before: ApiObject | undefined, server: ServerContext): StatusCause[];
  /** Makes an object that is being created complete. Gets it, and gives it back, in the form in which it is kept. */
  create?(object: ApiObject, server: ServerContext): ApiObject;
  /** The same for what replaces an object. */
  update?(object: ApiObject, before: ApiObject, server: ServerContext): ApiObject;
}
