import assert from "node:assert/strict";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import {
  conditionText,
  customDefinition,
  customResource,
  rejectionCauses,
  uninstall,
  untilDefinition,
  version,
} from "../support/custom-resources.js";
import { accepted, rawCollection, refused } from "../support/raw-collection.js";

const containers = [{ name: "c", image: "i" }];

/** Cases for differences found with manifests of public projects. */
export const publicFiles: readonly ConformanceCase[] = [
  {
    id: "job-labels",
    name: "a Job with its own labels gets no further labels, whatever the labels of its template",
    async run(context) {
      const jobs = rawCollection(context, "/apis/batch/v1/%/jobs");
      type Labelled = { metadata: { labels?: Record<string, string> } };
      const labelsOf = async (labels?: object, ofTemplate?: object) => {
        const template = {
          metadata: { labels: ofTemplate },
          spec: { restartPolicy: "Never", containers },
        };
        const metadata = { name: "a", labels };
        const body = { apiVersion: "batch/v1", kind: "Job", metadata, spec: { template } };
        const made = await accepted<Labelled>(jobs.post("?dryRun=All", body));
        return Object.keys(made.metadata.labels ?? {}).sort();
      };
      const added = [
        "batch.kubernetes.io/controller-uid",
        "batch.kubernetes.io/job-name",
        "controller-uid",
        "job-name",
      ];
      assert.deepEqual(await labelsOf({ a: "b" }, { a: "b" }), ["a"]);
      assert.deepEqual(await labelsOf({ a: "c" }, { a: "b" }), ["a"]);
      assert.deepEqual(await labelsOf(undefined, { a: "b" }), ["a", ...added]);
      assert.deepEqual(await labelsOf(), added);
    },
  },
  {
    id: "stateful-set-strategy",
    name: "a StatefulSet with an update strategy type gets no default parameters",
    async run(context) {
      const sets = rawCollection(context, "/apis/apps/v1/%/statefulsets");
      const strategyOf = async (updateStrategy?: object) => {
        const spec = {
          updateStrategy,
          serviceName: "a",
          selector: { matchLabels: { a: "b" } },
          template: { metadata: { labels: { a: "b" } }, spec: { containers } },
        };
        const body = { apiVersion: "apps/v1", kind: "StatefulSet", metadata: { name: "a" }, spec };
        return (await accepted<typeof body>(sets.post("?dryRun=All", body))).spec.updateStrategy;
      };
      const type = "RollingUpdate";
      const rollingUpdate = { partition: 0, maxUnavailable: 1 };
      assert.deepEqual(await strategyOf({ type }), { type });
      assert.deepEqual(await strategyOf({}), { type, rollingUpdate });
      assert.deepEqual(await strategyOf(), { type, rollingUpdate });
      assert.deepEqual(await strategyOf({ type, rollingUpdate: {} }), { type, rollingUpdate });
    },
  },
  {
    id: "image-policies",
    name: "imagePullPolicy defaults to Always for the tag latest, and an invalid reference has no tag",
    async run(context) {
      const pods = rawCollection(context, "/api/v1/%/pods");
      const policyOf = async (image: string) => {
        const spec = { containers: [{ name: "c", image, imagePullPolicy: undefined }] };
        const body = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec };
        const made = await accepted<typeof body>(pods.post("?dryRun=All", body));
        return made.spec.containers[0]?.imagePullPolicy;
      };
      const digest = `sha256:${"a".repeat(64)}`;
      for (const image of ["x", "x:latest", "a.b:5000/x", "Reg/x", `x:latest@${digest}`]) {
        assert.equal(await policyOf(image), "Always", image);
      }
      const once = ["ko://x", "ko://x:latest", "x:1", `x@${digest}`, "X", "x/Y:latest", "x..y"];
      for (const image of [...once, ":latest", "a".repeat(64), "b".repeat(300)]) {
        assert.equal(await policyOf(image), "IfNotPresent", image);
      }
    },
  },
  {
    id: "service-families",
    name: "a dual-stack Service on a single-stack cluster is rejected with every cause",
    async run(context) {
      const services = rawCollection(context, "/api/v1/%/services");
      const sent = (spec: object) => ({
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "a" },
        spec: { ports: [{ port: 80 }], ...spec },
      });
      const refusal = async (spec: object) => {
        const [status, why] = await refused(services.post("?dryRun=All", sent(spec)));
        assert.equal(status, 422);
        return why.replace('Service "a" is invalid: ', "");
      };
      const policy = (value: string, why: string) =>
        `spec.ipFamilyPolicy: Invalid value: "${value}": ${why}`;
      const single = policy(
        "RequireDualStack",
        "this cluster is not configured for dual-stack services",
      );
      const other = (at: number) =>
        `spec.ipFamilies[${at}]: Invalid value: "IPv6": not configured on this cluster`;
      const several = (what: string) =>
        policy(
          "SingleStack",
          `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
        );
      const dual = { ipFamilyPolicy: "RequireDualStack" };
      assert.equal(
        await refusal({ ...dual, ipFamilies: ["IPv4", "IPv6"] }),
        `[${single}, ${other(1)}]`,
      );
      assert.equal(await refusal({ ...dual, clusterIP: "None", selector: { a: "b" } }), single);
      assert.equal(await refusal({ ipFamilies: ["IPv6"] }), other(0));
      assert.equal(await refusal({ ipFamilies: ["IPv4", "IPv6"] }), several("IP families"));
      const ips = ["10.0.0.5", "fd00::1"];
      assert.equal(
        await refusal({ clusterIP: ips[0], clusterIPs: ips }),
        `[${several("cluster IPs")}, spec.clusterIPs[1]: Invalid value: ${JSON.stringify(ips)}: IPv6 is not configured on this cluster]`,
      );
      assert.equal(
        await refusal({ type: "ExternalName", externalName: "a.b", ipFamilies: ["IPv6"] }),
        "spec.ipFamilies: Forbidden: may not be set for ExternalName services",
      );
      const free = await accepted<{ spec: object }>(
        services.post("", sent({ clusterIP: "None", ipFamilies: ["IPv6"] })),
      );
      const chosen = { ipFamilies: ["IPv6", "IPv4"], ipFamilyPolicy: "RequireDualStack" };
      assert.deepEqual({ ...free.spec, ...chosen }, free.spec);
      assert.deepEqual(await refused(services.merge("/a", { spec: { ipFamilies: ["IPv6"] } })), [
        422,
        `Service "a" is invalid: ${policy("RequireDualStack", "must be 'SingleStack' to release the secondary IP family")}`,
      ]);
      const kept = await accepted<{ spec: { ipFamilies: unknown } }>(
        services.merge("/a", { spec: { ipFamilyPolicy: "SingleStack" } }),
      );
      assert.deepEqual(kept.spec.ipFamilies, ["IPv6"]);
    },
  },
  {
    id: "definition-approval",
    name: "custom: a definition in a protected group has a condition for its approval",
    needs: ["crd"],
    async run(context) {
      const definitions = rawCollection(
        context,
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      );
      const annotation = "api-approved.kubernetes.io";
      const group = "values.typekube.k8s.io";
      const name = `odds.${group}`;
      const sent = (approval: string) => ({
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name, annotations: { [annotation]: approval } },
        spec: {
          group,
          scope: "Namespaced",
          names: { plural: "odds", kind: "Odd" },
          versions: [version({ type: "object" })],
        },
      });
      for (const approval of ["bogus", "https://", "mailto:a@b.c", "/a"]) {
        const [status, why] = await refused(definitions.post("", sent(approval)));
        assert.equal(status, 422, approval);
        assert.match(why, /with either a URL or a reason starting with "unapproved"/);
      }
      await accepted(definitions.post("", sent("unapproved, odd")));
      await untilApproval(context, name, "False UnapprovedAnnotation");
      const approved = { metadata: { annotations: { [annotation]: "https://a.b/c" } } };
      await accepted(definitions.merge(`/${name}`, approved));
      await untilApproval(context, name, "True ApprovedAnnotation");
      await uninstall(context, name);
    },
  },
  {
    id: "at-most-one-item",
    name: "custom: the message for more than one item is in the singular",
    needs: ["crd"],
    async run(context) {
      const list = { type: "array", maxItems: 1, items: { type: "string" } };
      const schema = { type: "object", properties: { list } };
      const singles = await customResource(context, customDefinition("Single", [version(schema)]));
      assert.deepEqual(
        await rejectionCauses(
          singles.create({ metadata: { name: "a" }, list: ["a", "b"] } as never),
        ),
        ["list | FieldValueTooMany | Too many: 2: must have at most 1 item"],
      );
    },
  },
  {
    id: "default-written-once",
    name: "custom: the next update stores a default of a stored object, once",
    needs: ["crd"],
    async run(context) {
      const schema = {
        type: "object",
        properties: {
          status: {
            type: "object",
            default: {},
            properties: { phase: { type: "string", default: "New" } },
          },
        },
      };
      const definition = customDefinition("Phased", [
        version(schema, { subresources: { status: {} } }),
      ]);
      const phased = await customResource(context, definition);
      const apply = () => phased.apply({ metadata: { name: "a" } }, { fieldManager: "x" });
      const made = await apply();
      assert.deepEqual(made["status"], { phase: "New" });
      const first = await apply();
      assert.notEqual(first.metadata?.resourceVersion, made.metadata?.resourceVersion);
      assert.deepEqual(first["status"], { phase: "New" });
      const second = await apply();
      assert.equal(second.metadata?.resourceVersion, first.metadata?.resourceVersion);
      const dry = await phased.create({ metadata: { name: "b" } }, { dryRun: "All" });
      assert.deepEqual(dry["status"], { phase: "New" });
    },
  },
  {
    id: "unreadable-list",
    name: "custom: with an unreachable webhook the error of a list names each unreadable object",
    needs: ["crd"],
    async run(context) {
      const conversion = {
        strategy: "Webhook",
        webhook: {
          conversionReviewVersions: ["v1"],
          // Connections to port 1 are refused.
          clientConfig: { url: "https://127.0.0.1:1/convert" },
        },
      };
      const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
      const versions = [version(open), version(open, { name: "v2", storage: false })];
      const definition = customDefinition("Lost", versions, { conversion: conversion as never });
      const stored = await customResource(context, definition);
      const { metadata } = await stored.create({ metadata: { name: "a" } });
      await stored.create({ metadata: { name: "b" } });
      const lost = rawCollection(context, "/apis/custom.typekube.dev/v2/%/losts");
      const group = "custom.typekube.dev";
      const unread = (key: string) =>
        `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=${metadata?.resourceVersion}: conversion webhook for ${group}/v1, Kind=Lost failed: Post "https://127.0.0.1:1/convert?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused`;
      const key = `/${group}/losts/${context.namespace}/a`;
      const response = await lost.get("");
      const { message, reason, details } = response.json<{
        message: string;
        reason: string;
        details: { name: string; kind: string; causes: { reason: string; field: string }[] };
      }>();
      assert.equal(
        message,
        `failed to read one or more losts.${group} from the storage: ${unread(`/registry${key}`)} (and 1 more)`,
      );
      assert.deepEqual(
        [response.status, reason, details.name, details.kind],
        [500, "StorageReadError", "list", "losts"],
      );
      assert.deepEqual(
        details.causes.map((cause) => [cause.reason, cause.field]),
        ["a", "b"].map((name) => [
          "UnexpectedServerResponse",
          `/registry/${group}/losts/${context.namespace}/${name}`,
        ]),
      );
      const one = `Internal error occurred: ${unread(key)}`;
      assert.deepEqual(await refused(lost.get("/a")), [500, one]);
      assert.deepEqual(await refused(lost.delete("/a")), [500, one]);
      const [, why] = await refused(lost.merge("/a", { a: 1 }));
      assert.equal(
        why.replace(/: conversion .*/, ""),
        `object not decodable revision=${metadata?.resourceVersion}`,
      );
      await uninstall(context, definition.metadata?.name ?? "");
    },
  },
];

async function untilApproval(
  context: Pick<ConformanceContext, "client" | "signal">,
  name: string,
  text: string,
): Promise<void> {
  const isShown = (definition: Parameters<typeof conditionText>[0]) =>
    conditionText(definition, "KubernetesAPIApprovalPolicyConformant") === text;
  await untilDefinition(context, name, isShown);
}
