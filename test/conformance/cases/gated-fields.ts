import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { Pod } from "@typekube/api/core/v1";
import { VolumeAttributesClass } from "@typekube/api/storage/v1";
import { mergePatch } from "@typekube/client";
import type { ConformanceCase } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";

const image = "registry.k8s.io/pause:3.10";
const containers = [{ name: "c", image }];

/** Cases for fields of disabled features, and for small rules related to them. */
export const gatedFieldCases: readonly ConformanceCase[] = [
  {
    id: "attributes-class-parameters",
    name: "a VolumeAttributesClass needs parameters",
    async run({ client, namespace }) {
      const classes = client.resource(VolumeAttributesClass);
      const message = `VolumeAttributesClass.storage.k8s.io "${namespace}" is invalid: parameters: Required value: must contain at least one key/value pair`;
      for (const parameters of [undefined, {}]) {
        const given = parameters === undefined ? {} : { parameters };
        const metadata = { name: namespace };
        await expectFailure(classes.create({ metadata, driverName: "example.com", ...given }), {
          code: 422,
          reason: "Invalid",
          message,
        });
      }
    },
  },
  {
    id: "template-ephemeral-containers",
    name: "ephemeral containers of a pod template are validated",
    async run({ client, namespace }) {
      const labels = { app: "x" };
      const spec = {
        containers,
        ephemeralContainers: [{ name: "e" }, { name: "c", image, targetContainerName: "z" }],
      };
      const deployment = {
        metadata: { name: "d" },
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
      };
      const field = "spec.template.spec.ephemeralContainers";
      await expectFailure(client.resource(Deployment, namespace).create(deployment), {
        code: 422,
        reason: "Invalid",
        message: `Deployment.apps "d" is invalid: [${field}[0].image: Required value, ${field}[1].name: Duplicate value: "c", ${field}[1].targetContainerName: Not found: "z", ${field}: Forbidden: ephemeral containers not allowed in pod template]`,
      });
    },
  },
  {
    id: "gated-pod-status",
    name: "the server drops fields of a pod's status whose feature gate is off",
    async run({ client, namespace }) {
      const pods = client.resource(Pod, namespace);
      await pods.create({ metadata: { name: "a" }, spec: { containers } });
      const status = {
        message: "kept",
        volumeHealth: [{ name: "v", status: "Healthy" }],
        nodeAllocatableResourceClaimStatuses: [
          { resourceClaimName: "r", containers: ["c"], resources: { cpu: "1" } },
        ],
      };
      const changed = await pods.status.patch("a", mergePatch({ status }));
      assert.equal(changed.status?.message, "kept");
      const keys = Object.keys(changed.status ?? {});
      assert.ok(!keys.includes("volumeHealth"), keys.join());
      assert.ok(!keys.includes("nodeAllocatableResourceClaimStatuses"), keys.join());
    },
  },
];
