import { StatusError } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { getPath, type JsonObject } from "../../objects/json-value.js";
import { isGoing } from "../../objects/owner-references.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { claim, keysOfOwner, splitKey } from "../pods/owned-pods.js";
import { availableIn, isReady, phaseOf, podOf } from "../pods/pods.js";
import { templateHash } from "../pods/template-hash.js";
import type { Controller, Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { writeIfChanged } from "../runtime/write-status.js";
import { claimNameOf, retainClaims } from "./claim-retention.js";

const storage = "statefulsets.apps";
const claims = "persistentvolumeclaims";
const revisionLabel = "controller-revision-hash";

/**
 * Maintains the numbered pods of StatefulSets: creates them in order, each once the previous one is ready, deletes them
 * from the last, and replaces them from the last when the template changes. It does not write ControllerRevisions.
 */
export function createStatefulSetController(parts: ControllerParts): Controller {
  const { server, writer, events } = parts;

  const tell = (set: ApiObject, reason: string, message: string, type?: "Warning") =>
    events.record(
      set,
      { reason, message, ...(type === undefined ? {} : { type }) },
      { component: "statefulset-controller" },
    );

  /** Creates an object of a set and records the success or failure as an Event. */
  const create = (set: ApiObject, storage: string, object: ApiObject, what: string) => {
    const subject = `Create ${what} in StatefulSet ${set.metadata.name}`;
    try {
      writer.create(storage, object);
      const success = storage === claims ? "success" : "successful";
      tell(set, "SuccessfulCreate", `${subject} ${success}`);
    } catch (error) {
      if (error instanceof StatusError) {
        tell(set, "FailedCreate", `${subject} failed error: ${error.message}`, "Warning");
      }
      throw error;
    }
  };

  const remove = (set: ApiObject, pod: ApiObject) => {
    writer.delete("pods", pod, { uid: pod.metadata.uid });
    if (!isGoing(pod)) {
      const message = `Delete Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} successful`;
      tell(set, "SuccessfulDelete", message);
    }
  };

  const reconcile = (key: string): Reconciled => {
    const set = writer.get(storage, ...splitKey(key));
    if (set === undefined) {
      return undefined;
    }
    const pods = claim(parts, set, "pods", (pod) => numberOf(set, pod) >= 0);
    const revision = `${set.metadata.name}-${templateHash(mapOf(specOf(set)["template"]), 0)}`;
    const waits = isGoing(set) ? undefined : arrange(set, pods, revision);
    writeStatus(set, revision);
    return waits;
  };

  const arrange = (set: ApiObject, pods: readonly ApiObject[], revision: string): Reconciled => {
    const { replicas = 1, podManagementPolicy, minReadySeconds = 0, updateStrategy } = specOf(set);
    const isOrdered = podManagementPolicy !== "Parallel";
    const start = Number(getPath(set, "spec", "ordinals", "start") ?? 0);
    const end = start + Number(replicas);
    const byNumber = new Map(pods.map((pod) => [numberOf(set, pod), pod]));
    const now = server.clock.now();
    const isWanted = (pod: ApiObject) => numberOf(set, pod) >= start && numberOf(set, pod) < end;
    retainClaims(parts, set, pods, isWanted);
    for (let number = start; number < end; number++) {
      const pod = byNumber.get(number);
      if (pod === undefined) {
        make(set, number, revision);
        if (isOrdered) {
          return undefined;
        }
      } else if (phaseOf(pod) === "Failed" || phaseOf(pod) === "Succeeded") {
        remove(set, pod);
        return undefined;
      } else {
        const left = isGoing(pod) ? undefined : availableIn(pod, Number(minReadySeconds), now);
        if (isOrdered && left !== 0) {
          return left;
        }
      }
    }
    const surplus = [...byNumber]
      .filter(([number]) => number < start || number >= end)
      .sort(([a], [b]) => b - a);
    for (const [, pod] of isOrdered ? surplus.slice(0, 1) : surplus) {
      remove(set, pod);
    }
    if (surplus.length > 0 || mapOf(updateStrategy)["type"] === "OnDelete") {
      return undefined;
    }
    const partition = Number(getPath(updateStrategy, "rollingUpdate", "partition") ?? 0);
    for (let number = end - 1; number >= Math.max(start, partition); number--) {
      const pod = byNumber.get(number);
      if (pod === undefined || isGoing(pod)) {
        return undefined;
      }
      if (pod.metadata.labels?.[revisionLabel] !== revision) {
        remove(set, pod);
        return undefined;
      }
      if (!isReady(pod)) {
        return undefined;
      }
    }
    return undefined;
  };

  const make = (set: ApiObject, number: number, revision: string) => {
    const name = `${set.metadata.name}-${number}`;
    const { namespace = "" } = set.metadata;
    const pod = podOf(set, {});
    const volumes = objectsOf(specOf(set)["volumeClaimTemplates"]).map((template) => {
      const { name: volume, labels, annotations } = mapOf(template["metadata"]);
      const claimName = claimNameOf(template, name);
      if (writer.get(claims, namespace, claimName) === undefined) {
        const wanted = {
          apiVersion: "v1",
          kind: "PersistentVolumeClaim",
          metadata: {
            name: claimName,
            namespace,
            labels: { ...mapOf(labels), ...selectorLabels(set) },
            annotations,
          },
          spec: template["spec"],
        } as ApiObject;
        create(set, claims, wanted, `Claim ${claimName} Pod ${name}`);
      }
      return { name: volume, persistentVolumeClaim: { claimName } };
    });
    const spec = specOf(pod);
    const others = objectsOf(spec["volumes"]).filter(
      (one) => !volumes.some(({ name: taken }) => taken === one["name"]),
    );
    const wanted = {
      ...pod,
      metadata: {
        ...pod.metadata,
        generateName: `${set.metadata.name}-`,
        name,
        labels: {
          ...pod.metadata.labels,
          "apps.kubernetes.io/pod-index": String(number),
          [revisionLabel]: revision,
          "statefulset.kubernetes.io/pod-name": name,
        },
      },
      spec: {
        ...spec,
        hostname: name,
        ...(specOf(set)["serviceName"] === undefined
          ? {}
          : { subdomain: specOf(set)["serviceName"] }),
        ...(volumes.length + others.length > 0 ? { volumes: [...volumes, ...others] } : {}),
      },
    };
    create(set, "pods", wanted, `Pod ${name}`);
  };

  const writeStatus = (set: ApiObject, revision: string) => {
    const pods = parts.index.ownedIn("pods", set.metadata.uid ?? "").filter((pod) => !isGoing(pod));
    const now = server.clock.now();
    const minReadySeconds = Number(specOf(set)["minReadySeconds"] ?? 0);
    const updated = pods.filter((pod) => pod.metadata.labels?.[revisionLabel] === revision).length;
    const before = mapOf(set["status"])["currentRevision"];
    const isRolledOut =
      updated === pods.length &&
      pods.every(isReady) &&
      updated === Number(specOf(set)["replicas"] ?? 1);
    const currentRevision = before === undefined || isRolledOut ? revision : before;
    const status: JsonObject = {
      observedGeneration: set.metadata.generation,
      replicas: pods.length,
      readyReplicas: pods.filter(isReady).length,
      updatedReplicas: updated,
      currentRevision,
      updateRevision: revision,
      collisionCount: 0,
      availableReplicas: pods.filter((pod) => availableIn(pod, minReadySeconds, now) === 0).length,
      currentReplicas: pods.filter(
        (pod) => pod.metadata.labels?.[revisionLabel] === currentRevision,
      ).length,
    };
    writeIfChanged(parts, storage, set, status);
  };

  return {
    name: "stateful-sets",
    follows: [storage, "pods", claims],
    keysOf: (event, from) =>
      from === storage
        ? [event.key]
        : from === "pods"
          ? keysOfOwner(parts, event, { storage, kind: "StatefulSet" })
          : [],
    reconcile,
  };
}

function numberOf(set: ApiObject, pod: ApiObject): number {
  const prefix = `${set.metadata.name}-`;
  const { name = "" } = pod.metadata;
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  return /^\d+$/.test(rest) ? Number(rest) : -1;
}

function selectorLabels(set: ApiObject): Record<string, string> {
  return mapOf(getPath(set, "spec", "selector", "matchLabels")) as Record<string, string>;
}
