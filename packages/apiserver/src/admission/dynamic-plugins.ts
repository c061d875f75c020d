import type { AdmissionScope } from "../context/admission-scope.js";
import type { ServerContext } from "../context/server-context.js";
import type { JsonObject } from "../objects/json-value.js";
import type { AdmissionPlugin, Mutation } from "./admission-plugin.js";
import type { AdmissionAttributes } from "./attributes.js";
import { policyPlugin } from "./policies/policy-plugin.js";
import { Reinvocation } from "./reinvocation.js";
import { webhookPlugin } from "./webhooks/webhook-plugin.js";

/** The plugins whose decisions depend on objects in the server, in the order in which they mutate and validate. */
const dynamicPlugins: readonly AdmissionPlugin[] = [policyPlugin, webhookPlugin];

/** Returns the plugins that have something to decide at present. */
export function activePlugins(server: ServerContext): readonly AdmissionPlugin[] {
  return dynamicPlugins.filter((plugin) => plugin.isActive(server));
}

/** Returns the object of a request after one round of plugins. */
export function mutateThrough(
  plugins: readonly AdmissionPlugin[],
  attributes: AdmissionAttributes,
  mutation: Mutation,
): JsonObject | undefined {
  let current = attributes;
  for (const plugin of plugins) {
    current = { ...current, object: plugin.mutate(current, mutation) };
  }
  return current.object;
}

/**
 * Admits a request that writes no object of its own: DELETE, CONNECT, and the creation of a virtual object such as an
 * Eviction.
 *
 * @param read - reads an object that a plugin has changed. Default: takes it as it is.
 * @returns the object of the request, changed or not.
 */
export function admitRequest(
  scope: AdmissionScope,
  attributes: AdmissionAttributes,
  read: Mutation["read"] = (changed) => changed,
): JsonObject | undefined {
  const plugins = activePlugins(scope.server);
  if (plugins.length === 0) {
    return attributes.object;
  }
  const reinvocation = new Reinvocation();
  const mutation = { ...scope, reinvocation, read };
  let object = mutateThrough(plugins, attributes, mutation);
  if (reinvocation.isRequested) {
    reinvocation.isRepeat = true;
    object = mutateThrough(plugins, { ...attributes, object }, mutation);
  }
  for (const plugin of plugins) {
    plugin.validate({ ...attributes, object }, scope);
  }
  return object;
}
