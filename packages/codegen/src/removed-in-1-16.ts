import type { Removal } from "./removal.js";

const selector = "spec.selector is required and immutable";

/** Removals of 1.16: the first versions of the workloads, NetworkPolicy and PodSecurityPolicy. */
export const removedIn116: readonly Removal[] = [
  {
    apiVersion: "extensions/v1beta1",
    kinds: ["NetworkPolicy"],
    removed: "1.16",
    use: "networking.k8s.io/v1",
    since: "1.8",
  },
  {
    apiVersion: "extensions/v1beta1",
    kinds: ["PodSecurityPolicy"],
    removed: "1.16",
    use: "policy/v1beta1",
    since: "1.10",
    changes: ["policy/v1beta1 was removed too, in 1.25: use Pod Security Admission or a webhook"],
  },
  {
    apiVersion: "extensions/v1beta1",
    kinds: ["DaemonSet"],
    removed: "1.16",
    use: "apps/v1",
    since: "1.9",
    changes: [
      "spec.templateGeneration was removed",
      selector,
      "spec.updateStrategy.type is RollingUpdate by default, OnDelete before",
    ],
  },
  {
    apiVersion: "apps/v1beta2",
    kinds: ["DaemonSet"],
    removed: "1.16",
    use: "apps/v1",
    since: "1.9",
    changes: ["spec.templateGeneration was removed", selector],
  },
  ...["extensions/v1beta1", "apps/v1beta1", "apps/v1beta2"].map((apiVersion) => ({
    apiVersion,
    kinds: ["Deployment"],
    removed: "1.16",
    use: "apps/v1",
    since: "1.9",
    changes: [
      "spec.rollbackTo was removed",
      selector,
      ...(apiVersion === "extensions/v1beta1"
        ? ["spec.progressDeadlineSeconds is 600 by default, none before"]
        : []),
      ...(apiVersion === "apps/v1beta2"
        ? []
        : [
            `spec.revisionHistoryLimit is 10 by default, ${apiVersion === "apps/v1beta1" ? "2" : "all"} before`,
          ]),
      ...(apiVersion === "extensions/v1beta1"
        ? ["spec.strategy.rollingUpdate.maxSurge and maxUnavailable are 25% by default, 1 before"]
        : []),
    ],
  })),
  ...["apps/v1beta1", "apps/v1beta2"].map((apiVersion) => ({
    apiVersion,
    kinds: ["StatefulSet"],
    removed: "1.16",
    use: "apps/v1",
    since: "1.9",
    changes: [
      selector,
      ...(apiVersion === "apps/v1beta1"
        ? ["spec.updateStrategy.type is RollingUpdate by default, OnDelete before"]
        : []),
    ],
  })),
  ...["extensions/v1beta1", "apps/v1beta1", "apps/v1beta2"].map((apiVersion) => ({
    apiVersion,
    kinds: ["ReplicaSet"],
    removed: "1.16",
    use: "apps/v1",
    since: "1.9",
    changes: [selector],
  })),
];
