import type { KubeObject, Live } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { type DescribedCondition, describedCondition } from "./object-condition.js";

/** Fields of Deployments, StatefulSets and DaemonSets that decide whether a rollout is complete. */
interface Workload {
  readonly spec?: {
    readonly replicas?: number;
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly partition?: number };
    };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
    readonly desiredNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberAvailable?: number;
    readonly conditions?: readonly {
      readonly type?: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}

/** Fields that decide whether a rollout is complete: those of {@link Workload}. */
const fields = ["metadata.generation", "spec.replicas", "spec.updateStrategy", "status"];

/**
 * Waits until the newest spec of a Deployment, StatefulSet or DaemonSet is rolled out, by the rules of `kubectl rollout
 * status`. (`conditions.rolledOut`)
 */
export function rolledOut(): DescribedCondition {
  return describedCondition(
    "rolledOut()",
    fields,
    (object) => object !== undefined && missingOf(object) === undefined,
    (object) => missingOf(object) ?? "a complete rollout",
  );
}

/** Describes what the rollout still lacks; `undefined` once it is complete. */
function missingOf(object: Live<KubeObject>): string | undefined {
  const workload = object as Workload;
  const rule = rules[object.kind];
  if (rule === undefined) {
    throw neverMet(object, "has no rollouts: only a Deployment, StatefulSet or DaemonSet has");
  }
  const observed = workload.status?.observedGeneration ?? 0;
  if (
    observed < (object.metadata.generation ?? 0) ||
    (observed === 0 && object.kind === "StatefulSet")
  ) {
    return "a spec that the controller has not observed yet";
  }
  return rule(object, workload);
}

const rules: Readonly<
  Record<string, (object: Live<KubeObject>, workload: Workload) => string | undefined>
> = {
  Deployment(object, { spec, status = {} }) {
    const late = status.conditions?.find(({ reason }) => reason === "ProgressDeadlineExceeded");
    if (late !== undefined) {
      throw neverMet(object, `exceeded its progress deadline: ${late.message ?? "no message"}`);
    }
    const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 } = status;
    const wanted = spec?.replicas ?? 1;
    if (updatedReplicas < wanted) {
      return `${updatedReplicas} of ${wanted} new replicas updated`;
    }
    if (replicas > updatedReplicas) {
      return `${replicas - updatedReplicas} old replicas pending termination`;
    }
    return availableReplicas < updatedReplicas
      ? `${availableReplicas} of ${updatedReplicas} updated replicas available`
      : undefined;
  },
  DaemonSet(object, { spec, status = {} }) {
    assertRollingUpdate(object, spec);
    const { desiredNumberScheduled = 0, updatedNumberScheduled = 0, numberAvailable = 0 } = status;
    if (updatedNumberScheduled < desiredNumberScheduled) {
      return `${updatedNumberScheduled} of ${desiredNumberScheduled} new pods updated`;
    }
    return numberAvailable < desiredNumberScheduled
      ? `${numberAvailable} of ${desiredNumberScheduled} updated pods available`
      : undefined;
  },
  StatefulSet(object, { spec, status = {} }) {
    assertRollingUpdate(object, spec);
    const { readyReplicas = 0, updatedReplicas = 0, currentRevision, updateRevision } = status;
    const wanted = spec?.replicas ?? 1;
    if (readyReplicas < wanted) {
      return `${readyReplicas} of ${wanted} pods ready`;
    }
    const partition = spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
    if (partition > 0) {
      const above = Math.max(0, wanted - partition);
      return updatedReplicas < above
        ? `${updatedReplicas} of ${above} new pods updated`
        : undefined;
    }
    return updateRevision !== currentRevision
      ? `${updatedReplicas} pods at revision ${updateRevision}`
      : undefined;
  },
};

function assertRollingUpdate(object: Live<KubeObject>, spec: Workload["spec"]): void {
  const type = spec?.updateStrategy?.type ?? "RollingUpdate";
  if (type !== "RollingUpdate") {
    throw neverMet(object, `has the update strategy ${type}, which does not roll out changes`);
  }
}

function neverMet({ kind, metadata }: Live<KubeObject>, why: string): KubeError {
  return new KubeError("NeverMet", `${kind} "${metadata.name}" ${why}`);
}
