import { type KindLifecycle, lifecycleOf, lifecycleStage } from "@typekube/api/lifecycle";
import { builtInResources } from "@typekube/api/resources";
import { describe, expect, it } from "vitest";

/** Acceptance ID, group-version, kinds, release that removed them, group-version to use, first release that served it. */
type Row = readonly [string, string, string, string, string, string];

const rows: readonly Row[] = [
  [
    "MIG1",
    "flowcontrol.apiserver.k8s.io/v1beta3",
    "FlowSchema PriorityLevelConfiguration",
    "1.32",
    "flowcontrol.apiserver.k8s.io/v1",
    "1.29",
  ],
  [
    "MIG2",
    "flowcontrol.apiserver.k8s.io/v1beta2",
    "FlowSchema PriorityLevelConfiguration",
    "1.29",
    "flowcontrol.apiserver.k8s.io/v1",
    "1.29",
  ],
  ["MIG3", "storage.k8s.io/v1beta1", "CSIStorageCapacity", "1.27", "storage.k8s.io/v1", "1.24"],
  [
    "MIG4",
    "flowcontrol.apiserver.k8s.io/v1beta1",
    "FlowSchema PriorityLevelConfiguration",
    "1.26",
    "flowcontrol.apiserver.k8s.io/v1",
    "1.29",
  ],
  ["MIG5", "autoscaling/v2beta2", "HorizontalPodAutoscaler", "1.26", "autoscaling/v2", "1.23"],
  ["MIG6", "batch/v1beta1", "CronJob", "1.25", "batch/v1", "1.21"],
  ["MIG7", "discovery.k8s.io/v1beta1", "EndpointSlice", "1.25", "discovery.k8s.io/v1", "1.21"],
  ["MIG8", "events.k8s.io/v1beta1", "Event", "1.25", "events.k8s.io/v1", "1.19"],
  ["MIG10", "autoscaling/v2beta1", "HorizontalPodAutoscaler", "1.25", "autoscaling/v2", "1.23"],
  ["MIG11", "policy/v1beta1", "PodDisruptionBudget", "1.25", "policy/v1", "1.21"],
  ["MIG12", "policy/v1beta1", "PodSecurityPolicy", "1.25", "", ""],
  ["MIG13", "node.k8s.io/v1beta1", "RuntimeClass", "1.25", "node.k8s.io/v1", "1.20"],
  [
    "MIG14",
    "admissionregistration.k8s.io/v1beta1",
    "MutatingWebhookConfiguration ValidatingWebhookConfiguration",
    "1.22",
    "admissionregistration.k8s.io/v1",
    "1.16",
  ],
  [
    "MIG16",
    "apiextensions.k8s.io/v1beta1",
    "CustomResourceDefinition",
    "1.22",
    "apiextensions.k8s.io/v1",
    "1.16",
  ],
  [
    "MIG18",
    "apiregistration.k8s.io/v1beta1",
    "APIService",
    "1.22",
    "apiregistration.k8s.io/v1",
    "1.10",
  ],
  [
    "MIG19",
    "authentication.k8s.io/v1beta1",
    "TokenReview",
    "1.22",
    "authentication.k8s.io/v1",
    "1.6",
  ],
  [
    "MIG20",
    "authorization.k8s.io/v1beta1",
    "LocalSubjectAccessReview SelfSubjectAccessReview SubjectAccessReview SelfSubjectRulesReview",
    "1.22",
    "authorization.k8s.io/v1",
    "1.6",
  ],
  [
    "MIG21",
    "certificates.k8s.io/v1beta1",
    "CertificateSigningRequest",
    "1.22",
    "certificates.k8s.io/v1",
    "1.19",
  ],
  ["MIG23", "coordination.k8s.io/v1beta1", "Lease", "1.22", "coordination.k8s.io/v1", "1.14"],
  ["MIG24", "extensions/v1beta1", "Ingress", "1.22", "networking.k8s.io/v1", "1.19"],
  ["MIG24", "networking.k8s.io/v1beta1", "Ingress", "1.22", "networking.k8s.io/v1", "1.19"],
  ["MIG25", "networking.k8s.io/v1beta1", "IngressClass", "1.22", "networking.k8s.io/v1", "1.19"],
  [
    "MIG26",
    "rbac.authorization.k8s.io/v1beta1",
    "ClusterRole ClusterRoleBinding Role RoleBinding",
    "1.22",
    "rbac.authorization.k8s.io/v1",
    "1.8",
  ],
  ["MIG27", "scheduling.k8s.io/v1beta1", "PriorityClass", "1.22", "scheduling.k8s.io/v1", "1.14"],
  ["MIG28", "storage.k8s.io/v1beta1", "CSIDriver", "1.22", "storage.k8s.io/v1", "1.19"],
  ["MIG28", "storage.k8s.io/v1beta1", "CSINode", "1.22", "storage.k8s.io/v1", "1.17"],
  ["MIG28", "storage.k8s.io/v1beta1", "StorageClass", "1.22", "storage.k8s.io/v1", "1.6"],
  ["MIG28", "storage.k8s.io/v1beta1", "VolumeAttachment", "1.22", "storage.k8s.io/v1", "1.13"],
  ["MIG29", "extensions/v1beta1", "NetworkPolicy", "1.16", "networking.k8s.io/v1", "1.8"],
  ["MIG30", "extensions/v1beta1", "DaemonSet", "1.16", "apps/v1", "1.9"],
  ["MIG30", "apps/v1beta2", "DaemonSet", "1.16", "apps/v1", "1.9"],
  ["MIG31", "extensions/v1beta1", "Deployment", "1.16", "apps/v1", "1.9"],
  ["MIG31", "apps/v1beta1", "Deployment StatefulSet", "1.16", "apps/v1", "1.9"],
  ["MIG31", "apps/v1beta2", "Deployment StatefulSet", "1.16", "apps/v1", "1.9"],
  ["MIG33", "extensions/v1beta1", "ReplicaSet", "1.16", "apps/v1", "1.9"],
  ["MIG33", "apps/v1beta1", "ReplicaSet", "1.16", "apps/v1", "1.9"],
  ["MIG33", "apps/v1beta2", "ReplicaSet", "1.16", "apps/v1", "1.9"],
  ["MIG34", "extensions/v1beta1", "PodSecurityPolicy", "1.16", "policy/v1beta1", "1.10"],
];

describe("removed kinds", () => {
  it.each(rows)("%s: %s %s", (_, apiVersion, kinds, removed, use, since) => {
    for (const kind of kinds.split(" ")) {
      const life = lifecycleOf({ apiVersion, kind });
      expect(life?.removed, kind).toBe(removed);
      expect(life?.replacedBy).toEqual(use === "" ? undefined : { apiVersion: use, kind, since });
      expect(lifecycleStage({ apiVersion, kind }, removed)).toBe("removed");
      expect(lifecycleStage({ apiVersion, kind }, before(removed))).not.toBe("removed");
    }
  });

  it.each([
    [
      "MIG1",
      "flowcontrol.apiserver.k8s.io/v1beta3",
      "PriorityLevelConfiguration",
      "nominalConcurrencyShares is 30 only when absent",
    ],
    ["MIG2", "flowcontrol.apiserver.k8s.io/v1beta2", "FlowSchema", "assuredConcurrencyShares"],
    ["MIG5", "autoscaling/v2beta2", "HorizontalPodAutoscaler", "target.averageUtilization"],
    ["MIG7", "discovery.k8s.io/v1beta1", "EndpointSlice", "nodeName"],
    ["MIG8", "events.k8s.io/v1beta1", "Event", "involvedObject is regarding"],
    ["MIG9", "events.k8s.io/v1beta1", "Event", "series.lastObservedTime"],
    ["MIG11", "policy/v1beta1", "PodDisruptionBudget", "an empty spec.selector selects every pod"],
    ["MIG12", "policy/v1beta1", "PodSecurityPolicy", "Pod Security Admission"],
    [
      "MIG14",
      "admissionregistration.k8s.io/v1beta1",
      "MutatingWebhookConfiguration",
      "failurePolicy is Fail",
    ],
    [
      "MIG15",
      "admissionregistration.k8s.io/v1beta1",
      "ValidatingWebhookConfiguration",
      "admissionReviewVersions is required",
    ],
    [
      "MIG16",
      "apiextensions.k8s.io/v1beta1",
      "CustomResourceDefinition",
      "spec.version is spec.versions",
    ],
    ["MIG17", "apiextensions.k8s.io/v1beta1", "CustomResourceDefinition", "jsonPath"],
    ["MIG20", "authorization.k8s.io/v1beta1", "SubjectAccessReview", "spec.group is spec.groups"],
    ["MIG21", "certificates.k8s.io/v1beta1", "CertificateSigningRequest", "signerName is required"],
    [
      "MIG22",
      "certificates.k8s.io/v1beta1",
      "CertificateSigningRequest",
      "CERTIFICATE blocks only",
    ],
    ["MIG24", "extensions/v1beta1", "Ingress", "spec.defaultBackend"],
    ["MIG30", "extensions/v1beta1", "DaemonSet", "templateGeneration was removed"],
    ["MIG31", "extensions/v1beta1", "Deployment", "progressDeadlineSeconds is 600"],
    ["MIG31", "apps/v1beta1", "Deployment", "revisionHistoryLimit is 10 by default, 2 before"],
    ["MIG32", "apps/v1beta1", "StatefulSet", "updateStrategy.type is RollingUpdate"],
    ["MIG33", "apps/v1beta2", "ReplicaSet", "spec.selector is required"],
  ])("%s: names a change that %s %s requires", (_, apiVersion, kind, change) => {
    expect(lifecycleOf({ apiVersion, kind })?.changes?.join("\n")).toContain(change);
  });
});

describe("lifecycles of kinds", () => {
  it("DEP6: match the lifecycles of the descriptors", () => {
    let count = 0;
    for (const { apiVersion, kind, lifecycle } of builtInResources) {
      if (lifecycle) {
        count++;
        const {
          replacedBy,
          changes: _,
          ...life
        }: KindLifecycle = lifecycleOf({ apiVersion, kind }) ?? {};
        const { replacedBy: said, ...rest } = lifecycle;
        expect(life, `${apiVersion} ${kind}`).toEqual(rest);
        if (said) {
          expect(replacedBy).toMatchObject(said);
        }
      }
    }
    expect(count).toBeGreaterThan(80);
  });

  it("DEP5: the replacement of a kind is served and at least as stable", () => {
    const served = new Set(builtInResources.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
    const track = (apiVersion = "") =>
      /alpha/.test(apiVersion) ? 0 : /beta/.test(apiVersion) ? 1 : 2;
    let count = 0;
    for (const [, apiVersion, kinds] of rows) {
      for (const kind of kinds.split(" ")) {
        const use = lifecycleOf({ apiVersion, kind })?.replacedBy;
        if (use && kind !== "PodSecurityPolicy") {
          count++;
          expect(served, `${apiVersion} ${kind}`).toContain(`${use.apiVersion} ${use.kind}`);
          expect(track(use.apiVersion)).toBeGreaterThanOrEqual(track(apiVersion));
        }
      }
    }
    expect(count).toBeGreaterThan(40);
  });

  it("GRP4: every served beta version has a known removal release", () => {
    const endless = builtInResources
      .filter(({ apiVersion }) => /beta/.test(apiVersion))
      .filter(({ lifecycle }) => lifecycle?.removed === undefined)
      .map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
    expect(endless).toEqual([]);
    const beta = { apiVersion: "certificates.k8s.io/v1beta1", kind: "ClusterTrustBundle" };
    expect(lifecycleOf(beta)).toMatchObject({ deprecated: "1.37", removed: "1.40" });
    expect(lifecycleStage(beta, "1.37")).toBe("deprecated");
  });

  it("GRP5: no release removes a stable version", () => {
    const stable = builtInResources.filter(({ apiVersion }) => /(^|\/)v\d+$/.test(apiVersion));
    expect(stable.length).toBeGreaterThan(60);
    for (const { apiVersion, kind, lifecycle } of stable) {
      expect(lifecycle?.removed, `${apiVersion} ${kind}`).toBeUndefined();
      expect(["served", "deprecated"]).toContain(
        lifecycleStage({ apiVersion, kind }, "1.37") ?? "served",
      );
    }
  });

  it("have a stage in each release", () => {
    const cronJob = { apiVersion: "batch/v1beta1", kind: "CronJob" };
    expect(
      ["1.7", "1.8", "v1.20.3", "1.21", "1.24", "1.25", "v1.37.1"].map((release) =>
        lifecycleStage(cronJob, release),
      ),
    ).toEqual(["unreleased", "served", "served", "deprecated", "deprecated", "removed", "removed"]);
    expect(lifecycleStage({ apiVersion: "v1", kind: "Endpoints" }, "1.37")).toBe("deprecated");
    expect(lifecycleStage({ apiVersion: "v1", kind: "Pod" }, "1.37")).toBe("served");
    expect(() => lifecycleStage(cronJob, "latest")).toThrow(RangeError);
  });

  it.each([
    {},
    { apiVersion: "x.io/v1", kind: "Widget" },
    { apiVersion: "v1", kind: "toString" },
    { kind: "Pod" },
  ])("are undefined for %j, which is not built in", (object) => {
    expect(lifecycleOf(object)).toBeUndefined();
    expect(lifecycleStage(object, "1.37")).toBeUndefined();
  });
});

function before(release: string): string {
  return `1.${Number(release.slice(2)) - 1}`;
}
