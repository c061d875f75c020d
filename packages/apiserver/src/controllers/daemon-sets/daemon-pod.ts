import type { ApiObject } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { podOf } from "../pods/pods.js";

/** Label of a pod with the hash of its template. */
export const hashLabel = "controller-revision-hash";

const generationLabel = "pod-template-generation";
const generationAnnotation = "deprecated.daemonset.template.generation";

/** Returns the pod of a DaemonSet for one Node. */
export function daemonPodOf(set: ApiObject, node: string, hash: string): ApiObject {
  const pod = podOf(set);
  const spec = specOf(pod);
  const generation = set.metadata.annotations?.[generationAnnotation] ?? "1";
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: { ...pod.metadata.labels, [hashLabel]: hash, [generationLabel]: generation },
    },
    spec: {
      ...spec,
      affinity: withNode(mapOf(spec["affinity"]), node),
      tolerations: [...objectsOf(spec["tolerations"]), ...tolerations],
    },
  };
}

function withNode(affinity: JsonObject, node: string): JsonObject {
  const matchFields = [{ key: "metadata.name", operator: "In", values: [node] }];
  return {
    ...affinity,
    nodeAffinity: {
      ...mapOf(affinity["nodeAffinity"]),
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
    },
  };
}

const tolerations: readonly JsonObject[] = [
  ["not-ready", "NoExecute"],
  ["unreachable", "NoExecute"],
  ["disk-pressure", "NoSchedule"],
  ["memory-pressure", "NoSchedule"],
  ["pid-pressure", "NoSchedule"],
  ["unschedulable", "NoSchedule"],
].map(([key, effect]) => ({ key: `node.kubernetes.io/${key}`, operator: "Exists", effect }));
