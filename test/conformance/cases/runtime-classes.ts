import assert from "node:assert/strict";
import { Pod, type PodSpec } from "@typekube/api/core/v1";
import { Ingress, IngressClass } from "@typekube/api/networking/v1";
import { RuntimeClass } from "@typekube/api/node/v1";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { until } from "../support/until.js";

const image = "registry.k8s.io/pause:3.10";

function podOf(spec: Partial<PodSpec>): Pod {
  return { metadata: { name: "a" }, spec: { containers: [{ name: "c", image }], ...spec } };
}

const key = "sandbox";

/** Creates a RuntimeClass named for the case, and waits until a real server's cache has it. */
async function runtimeClass(
  context: ConformanceContext,
  fields: Partial<RuntimeClass>,
): Promise<string> {
  const { client, namespace } = context;
  const handler = "runsc";
  await client.resource(RuntimeClass).create({ metadata: { name: namespace }, handler, ...fields });
  return namespace;
}

function forbidden(why: string) {
  const message = `pods "a" is forbidden: ${why}`;
  return { code: 403, reason: "Forbidden", message } as const;
}

/** Cases for the fields that classes set in pods and Ingresses on create. */
export const classCases: readonly ConformanceCase[] = [
  {
    id: "runtime-class-given",
    name: "a pod gets the overhead, the node selector and the tolerations of its RuntimeClass",
    async run(context) {
      const tolerations = [
        { key, operator: "Exists" as const, effect: "NoSchedule" as const },
        { key: "own", operator: "Equal" as const, value: "x", effect: "NoSchedule" as const },
      ];
      const runtimeClassName = await runtimeClass(context, {
        overhead: { podFixed: { memory: "0.5Gi", cpu: "0.25" } },
        scheduling: { nodeSelector: { kind: key, zone: "a" }, tolerations },
      });
      const made = await context.client.resource(Pod, context.namespace).create(
        podOf({
          runtimeClassName,
          nodeSelector: { zone: "a", disk: "ssd" },
          tolerations: [{ key, operator: "Equal", value: "yes", effect: "NoSchedule" }],
        }),
      );
      assert.deepEqual(made.spec?.overhead, { cpu: "250m", memory: "512Mi" });
      assert.deepEqual(made.spec?.nodeSelector, { disk: "ssd", kind: key, zone: "a" });
      assert.deepEqual(
        made.spec?.tolerations?.map((one) => [one.key, one.operator]),
        [
          ["node.kubernetes.io/not-ready", "Exists"],
          ["node.kubernetes.io/unreachable", "Exists"],
          [key, "Exists"],
          ["own", "Equal"],
        ],
      );
    },
  },
  {
    id: "runtime-class-conflicts",
    name: "a pod that contradicts its RuntimeClass is rejected",
    async run(context) {
      const { client, namespace } = context;
      const pods = client.resource(Pod, namespace);
      const runtimeClassName = await runtimeClass(context, {
        overhead: { podFixed: { cpu: "250m" } },
        scheduling: { nodeSelector: { kind: key } },
      });
      await expectFailure(
        pods.create(podOf({ runtimeClassName, overhead: { cpu: "1" } })),
        forbidden("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"),
      );
      await expectFailure(
        pods.create(podOf({ runtimeClassName, nodeSelector: { kind: "other" } })),
        forbidden(
          "conflict: runtimeClass.scheduling.nodeSelector[kind] = sandbox; pod.spec.nodeSelector[kind] = other",
        ),
      );
      await expectFailure(
        pods.create(podOf({ overhead: { cpu: "1" } })),
        forbidden(
          "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
        ),
      );
      await expectFailure(
        pods.create(podOf({ runtimeClassName: `${namespace}-x` })),
        forbidden(`pod rejected: RuntimeClass "${namespace}-x" not found`),
      );
      const made = await pods.create(podOf({ runtimeClassName, overhead: { cpu: "0.25" } }));
      assert.deepEqual(made.spec?.overhead, { cpu: "250m" });
    },
  },
  {
    id: "ingress-class-default",
    name: "an Ingress without a class gets the default IngressClass",
    async run(context) {
      const { client, namespace } = context;
      const ingresses = client.resource(Ingress, namespace);
      const annotations = { "ingressclass.kubernetes.io/is-default-class": "true" };
      const classes = client.resource(IngressClass);
      await classes.create({
        metadata: { name: namespace, annotations },
        spec: { controller: "example.com/x" },
      });
      const ingress = (name: string, fields: object = {}, spec: object = {}): Ingress => ({
        metadata: { name, ...fields },
        spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } }, ...spec },
      });
      try {
        await until(context, async () => {
          const made = await ingresses.create(ingress("probe"), { dryRun: "All" });
          return made.spec?.ingressClassName === namespace;
        });
        const named = await ingresses.create(ingress("b", {}, { ingressClassName: "mine" }));
        const old = { annotations: { "kubernetes.io/ingress.class": "old" } };
        const annotated = await ingresses.create(ingress("c", old));
        assert.deepEqual(
          [named, annotated].map((one) => one.spec?.ingressClassName),
          ["mine", undefined],
        );
      } finally {
        await classes.delete(namespace);
      }
    },
  },
];
