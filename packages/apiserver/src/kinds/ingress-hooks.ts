import type { ServerContext } from "../context/server-context.js";
import type { ApiObject } from "../objects/api-object.js";
import { specOf, withSpec } from "../objects/parts.js";
import { defaultClass } from "./default-class.js";
import type { KindHooks } from "./kind-hooks.js";

const defaultClassAnnotation = "ingressclass.kubernetes.io/is-default-class";
const oldClassAnnotation = "kubernetes.io/ingress.class";

/** Hooks of Ingresses. */
export const ingressHooks: Readonly<Record<string, KindHooks>> = {
  "ingresses.networking.k8s.io": { create: withDefaultClass },
};

/** Sets the default IngressClass on an Ingress that names none, neither by field nor by the legacy annotation. */
function withDefaultClass(ingress: ApiObject, { store }: ServerContext): ApiObject {
  const { annotations = {} } = ingress.metadata;
  if (specOf(ingress)["ingressClassName"] !== undefined || oldClassAnnotation in annotations) {
    return ingress;
  }
  const classes = store.collection("ingressclasses.networking.k8s.io");
  const newest = defaultClass(classes, defaultClassAnnotation);
  return newest === undefined ? ingress : withSpec(ingress, { ingressClassName: newest });
}
