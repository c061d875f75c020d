import type { StatusCause } from "@typekube/core";
import type { ServedResource } from "../resources/served-resource.js";
import type { SchemaNode } from "../schema/schema-node.js";
import type { ServerContext } from "../server-context.js";
import type { ApiObject } from "../store/stored-object.js";
import { accessHooks } from "./access-hooks.js";
import { autoscalerHooks } from "./autoscaler-hooks.js";
import { canonicalMetadata, fillDefaults } from "./fill-defaults.js";
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

/** What a server reads into an object that says less, before anybody looks at it: that belongs to who wrote it. */
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

/** What the server itself does to an object that is being made; that belongs to nobody. */
export function onCreate(
  server: ServerContext,
  { storage, rules }: ServedResource,
  object: ApiObject,
): ApiObject {
  return rules.custom ? object : (hooks.get(storage)?.create?.(object, server) ?? object);
}

/** The same for an update of the object itself. */
export function onUpdate(
  server: ServerContext,
  { storage, rules }: ServedResource,
  object: ApiObject,
  before: ApiObject,
): ApiObject {
  return rules.custom ? object : (hooks.get(storage)?.update?.(object, before, server) ?? object);
}

/** What the server cannot give to an object that is well otherwise. */
export function refusals(
  server: ServerContext,
  { storage, rules }: ServedResource,
  object: ApiObject,
  before: ApiObject | undefined,
): StatusCause[] {
  return rules.custom ? [] : (hooks.get(storage)?.refuse?.(object, before, server) ?? []);
}
