import type { StatusCause } from "@typekube/core";
import type { ServerContext } from "../context/server-context.js";
import type { ApiObject } from "../objects/api-object.js";
import { canonicalMetadata, fillDefaults } from "../phases/default/fill-defaults.js";
import type { ServedResource } from "../resources/served-resource.js";
import type { SchemaNode } from "../schema/schema-node.js";
import { accessHooks } from "./access-hooks.js";
import { autoscalerHooks } from "./autoscaler-hooks.js";
import { ingressHooks } from "./ingress-hooks.js";
import { jobHooks } from "./job-hooks.js";
import type { KindHooks } from "./kind-hooks.js";
import { namespaceHooks } from "./namespace-hooks.js";
import { podHooks } from "./pod-hooks.js";
import { serviceHooks } from "./service-hooks.js";
import { storageHooks } from "./storage-hooks.js";
import { workloadHooks } from "./workload-hooks.js";

const hooks = new Map<string, KindHooks>(
  Object.entries({
    ...accessHooks,
    ...autoscalerHooks,
    ...ingressHooks,
    ...jobHooks,
    ...namespaceHooks,
    ...podHooks,
    ...serviceHooks,
    ...storageHooks,
    ...workloadHooks,
  }),
);

/** Fills in the defaults of an object before validation. They are owned by the writer. */
export function withDefaults(
  { storage, rules }: ServedResource,
  object: ApiObject,
  schema: SchemaNode,
): ApiObject {
  if (rules.custom) {
    return canonicalMetadata(object, schema);
  }
  const filled = fillDefaults(object, schema);
  return hooks.get(storage)?.defaults?.(filled) ?? filled;
}

/** Completes an object that is being created. No field manager owns the result. */
export function onCreate(
  server: ServerContext,
  { storage, rules }: ServedResource,
  object: ApiObject,
): ApiObject {
  return rules.custom ? object : (hooks.get(storage)?.create?.(object, server) ?? object);
}

/** Completes an object that is being updated, except through subresources. */
export function onUpdate(
  server: ServerContext,
  { storage, rules }: ServedResource,
  object: ApiObject,
  before: ApiObject,
): ApiObject {
  return rules.custom ? object : (hooks.get(storage)?.update?.(object, before, server) ?? object);
}

/** Returns causes for requested values that the server can't grant to an otherwise valid object. */
export function refusals(
  server: ServerContext,
  { storage, rules }: ServedResource,
  object: ApiObject,
  before: ApiObject | undefined,
): StatusCause[] {
  return rules.custom ? [] : (hooks.get(storage)?.refuse?.(object, before, server) ?? []);
}
