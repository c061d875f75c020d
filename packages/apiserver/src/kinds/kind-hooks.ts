import type { StatusCause } from "@typekube/core";
import type { ServerContext } from "../context/server-context.js";
import type { ApiObject } from "../objects/api-object.js";

/** Server logic for objects of one kind, beyond defaults by type. Hooks never modify their arguments. */
export interface KindHooks {
  /** Fills in values that depend on the whole object; runs on every write. */
  defaults?(object: ApiObject): ApiObject;
  /** Returns causes for requested values that the server can't grant to an otherwise valid object. */
  refuse?(object: ApiObject, before: ApiObject | undefined, server: ServerContext): StatusCause[];
  /** Completes an object that is being created. Takes and returns the stored form. */
  create?(object: ApiObject, server: ServerContext): ApiObject;
  /** Completes an object that is being updated. Takes and returns the stored form. */
  update?(object: ApiObject, before: ApiObject, server: ServerContext): ApiObject;
}
