import type { ServerContext } from "../context/server-context.js";
import type { Admission, Write } from "../context/write.js";
import { type ApiObject, normalized } from "../objects/api-object.js";
import { readMutated } from "../phases/decode/read-mutated.js";
import type { AdmissionPlugin, Mutation } from "./admission-plugin.js";
import { authorizeWrite } from "./authorize-write.js";
import { withDefaultIngressClass, withDefaultStorageClass } from "./default-class.js";
import { withTolerations } from "./default-tolerations.js";
import { activePlugins, mutateThrough } from "./dynamic-plugins.js";
import { assertWithinLimits, withNamespaceDefaults } from "./limit-ranges.js";
import { admitPodSecurity } from "./pod-security/admit-pods.js";
import { assertOneDefault, keepPriority, withPriority } from "./priority.js";
import { Reinvocation } from "./reinvocation.js";
import { chargeQuotas, checkQuotas } from "./resource-quota.js";
import { assertOverhead, withRuntimeClass } from "./runtime-class.js";
import { settleMutated } from "./settle-mutated.js";
import { withProtection } from "./storage-protection.js";
import { mutableAttributes, writeAttributes } from "./write-attributes.js";

/** The admission plugins of the server, in the order of kube-apiserver's default plugins. */
export const admissionChain: Admission = chainOf(activePlugins);

/** The same without webhooks and policies, which don't see the server's own writes. */
export const internalAdmission: Admission = chainOf(() => []);

type PluginsOf = (server: ServerContext) => readonly AdmissionPlugin[];

function chainOf(pluginsOf: PluginsOf): Admission {
  return {
    authorize: authorizeWrite,
    mutate(write, object, old) {
      const plugins = pluginsOf(write.server);
      const reinvocation = new Reinvocation();
      const given = { object, sent: write.sent ?? object };
      const first = mutateOnce(plugins, write, given, old, reinvocation);
      if (!reinvocation.isRequested) {
        return first.object;
      }
      reinvocation.isRepeat = true;
      return mutateOnce(plugins, write, first, old, reinvocation).object;
    },
    validate: (write, object, old) => validate(pluginsOf(write.server), write, object, old),
  };
}

function validate(
  plugins: readonly AdmissionPlugin[],
  write: Write,
  object: ApiObject,
  old: ApiObject | undefined,
): () => void {
  assertWithinLimits(write, object, old);
  assertOneDefault(write, object);
  admitPodSecurity(write, object, old);
  if (write.request.resource.storage === "pods" && old === undefined) {
    assertOverhead(object, write.server);
  }
  if (plugins.length > 0) {
    const attributes = writeAttributes(write, object, old);
    for (const plugin of plugins) {
      plugin.validate(attributes, write);
    }
  }
  const charges = checkQuotas(write, object, old);
  return () => chargeQuotas(write.server, charges);
}

/** An object in a round of mutation. */
interface Mutable {
  /** The object that is written. */
  readonly object: ApiObject;
  /** The form in which webhooks and policies see it. */
  readonly sent: ApiObject;
}

function mutateOnce(
  plugins: readonly AdmissionPlugin[],
  write: Write,
  { object, sent }: Mutable,
  old: ApiObject | undefined,
  reinvocation: Reinvocation,
): Mutable {
  const limited = withNamespaceDefaults(write, object, old);
  const completed = old === undefined ? mutateNew(write, limited) : mutateOld(write, limited, old);
  return plugins.length === 0
    ? { object: completed, sent }
    : mutateByPlugins(plugins, write, { object: completed, sent }, old, reinvocation);
}

function mutateByPlugins(
  plugins: readonly AdmissionPlugin[],
  write: Write,
  { object, sent }: Mutable,
  old: ApiObject | undefined,
  reinvocation: Reinvocation,
): Mutable {
  const { view } = write;
  const given = mutableAttributes(write, object, old, sent);
  const read: Mutation["read"] = (changed, unknownFields) =>
    view === undefined ? readMutated(write, changed, unknownFields) : changed;
  const mutated = mutateThrough(plugins, given, { ...write, reinvocation, read });
  if (mutated === undefined || mutated === given.object) {
    return { object, sent };
  }
  if (view !== undefined) {
    return { object: view.into(object, mutated), sent };
  }
  const changed = normalized(mutated);
  return { object: settleMutated(write, changed, object, old), sent: changed };
}

/** Plugins that complete new objects, by storage. */
const mutators: Readonly<Record<string, (object: ApiObject, write: Write) => ApiObject>> = {
  pods: (pod, { server }) => withRuntimeClass(withTolerations(withPriority(pod, server)), server),
  persistentvolumeclaims: (claim, { server }) => withDefaultStorageClass(claim, server),
  "ingresses.networking.k8s.io": (ingress, { server }) => withDefaultIngressClass(ingress, server),
};

function mutateNew(write: Write, object: ApiObject): ApiObject {
  const { storage } = write.request.resource;
  return withProtection(storage, mutators[storage]?.(object, write) ?? object);
}

function mutateOld({ request }: Write, object: ApiObject, old: ApiObject): ApiObject {
  return request.resource.storage === "pods" && request.subresource === ""
    ? withTolerations(keepPriority(object, old))
    : object;
}
