import type { Admission, Write } from "../context/write.js";
import type { ApiObject } from "../objects/api-object.js";
import { authorizeWrite } from "./authorize-write.js";
import { withDefaultIngressClass, withDefaultStorageClass } from "./default-class.js";
import { withTolerations } from "./default-tolerations.js";
import { assertWithinLimits, withNamespaceDefaults } from "./limit-ranges.js";
import { admitPodSecurity } from "./pod-security/admit-pods.js";
import { assertOneDefault, keepPriority, withPriority } from "./priority.js";
import { chargeQuotas, checkQuotas } from "./resource-quota.js";
import { assertOverhead, withRuntimeClass } from "./runtime-class.js";
import { withProtection } from "./storage-protection.js";

/** The admission plugins of the server, in the order of kube-apiserver's default plugins. */
export const admissionChain: Admission = {
  authorize: authorizeWrite,
  mutate(write, object, old) {
    const limited = withNamespaceDefaults(write, object, old);
    return old === undefined ? mutateNew(write, limited) : mutateOld(write, limited, old);
  },
  validate(write, object, old) {
    assertWithinLimits(write, object, old);
    assertOneDefault(write, object);
    admitPodSecurity(write, object, old);
    if (write.request.resource.storage === "pods" && old === undefined) {
      assertOverhead(object, write.server);
    }
    const charges = checkQuotas(write, object, old);
    return () => chargeQuotas(write.server, charges);
  },
};

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
