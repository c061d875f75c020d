import { type ServerContext, timestamp } from "../server-context.js";
import type { ApiObject } from "../store/stored-object.js";
import type { KindHooks } from "./kind-hooks.js";
import { objectsOf, specOf, withFinalizer, withSpec } from "./parts.js";

const defaultClassAnnotation = "storageclass.kubernetes.io/is-default-class";
const notReady = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

/** Volumes, claims, their classes, and nodes. */
export const storageHooks: Readonly<Record<string, KindHooks>> = {
  persistentvolumeclaims: {
    create: (claim, server) => ({
      ...withFinalizer(withDefaultClass(claim, server), "kubernetes.io/pvc-protection"),
      status: { phase: "Pending" },
    }),
  },
  persistentvolumes: {
    create: (volume, { clock }) => ({
      ...withFinalizer(volume, "kubernetes.io/pv-protection"),
      status: { phase: "Pending", lastPhaseTransitionTime: timestamp(clock) },
    }),
  },
  "volumeattributesclasses.storage.k8s.io": {
    create: (one) => withFinalizer(one, "kubernetes.io/vac-protection"),
  },
  nodes: { defaults: withAddressRanges, create: withTaint },
};

/** A claim that names no class gets the newest of those that are marked as default. */
function withDefaultClass(claim: ApiObject, { store }: ServerContext): ApiObject {
  const classes = store.collection("storageclasses.storage.k8s.io");
  if (specOf(claim)["storageClassName"] !== undefined || classes.size === 0) {
    return claim;
  }
  const [newest] = classes
    .entries("")
    .map(([, one]) => one)
    .filter(({ metadata }) => metadata.annotations?.[defaultClassAnnotation] === "true")
    .sort(
      (a, b) =>
        (b.metadata.creationTimestamp ?? "").localeCompare(a.metadata.creationTimestamp ?? "") ||
        (a.metadata.name ?? "").localeCompare(b.metadata.name ?? ""),
    );
  return newest === undefined ? claim : withSpec(claim, { storageClassName: newest.metadata.name });
}

/** The one range of addresses of a node stands in both fields. */
function withAddressRanges(node: ApiObject): ApiObject {
  const { podCIDR, podCIDRs } = specOf(node);
  return podCIDR !== undefined && podCIDRs === undefined
    ? withSpec(node, { podCIDRs: [podCIDR] })
    : node;
}

/** A node begins unready. */
function withTaint(node: ApiObject): ApiObject {
  const taints = objectsOf(specOf(node)["taints"]);
  const isTainted = taints.some(
    ({ key, effect }) => key === notReady.key && effect === notReady.effect,
  );
  return isTainted ? node : withSpec(node, { taints: [...taints, notReady] });
}
