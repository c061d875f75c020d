import assert from "node:assert/strict";
import { Node, Pod, Service } from "@typekube/api/core/v1";
import { EndpointSlice } from "@typekube/api/discovery/v1";
import { pod } from "../../support/objects.js";
import { type ControllerCase, listUntil } from "./controller-case.js";

/** Cases for Services. */
export const services: readonly ControllerCase[] = [
  {
    id: "endpoint-slice",
    name: "a Service with a selector gets an EndpointSlice with the pods that have an address",
    async run(context) {
      const { client, namespace } = context;
      const node = `node-of-${namespace}`;
      await client.resource(Node).create({ metadata: { name: node } });
      const placed = pod("a", { app: "web" });
      await client.resource(Pod, namespace).create({
        ...placed,
        spec: { ...placed.spec, containers: placed.spec?.containers ?? [], nodeName: node },
      });
      await client.resource(Pod, namespace).status.apply(
        "a",
        {
          status: {
            phase: "Running",
            podIP: "10.244.0.7",
            podIPs: [{ ip: "10.244.0.7" }],
            conditions: [{ type: "Ready", status: "True" }],
          },
        },
        { fieldManager: "kubelet" },
      );
      await client.resource(Service, namespace).create({
        metadata: { name: "web" },
        spec: { selector: { app: "web" }, ports: [{ name: "http", port: 80, targetPort: 8080 }] },
      });
      const [slice] = await listUntil(context, EndpointSlice, (items) =>
        items.some(({ endpoints }) => endpoints?.length === 1),
      );
      assert.match(slice?.metadata.name ?? "", /^web-[a-z0-9]{5}$/);
      assert.deepEqual(slice?.metadata.labels, {
        "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
        "kubernetes.io/service-name": "web",
      });
      assert.equal(slice?.addressType, "IPv4");
      assert.deepEqual(slice?.ports, [{ name: "http", port: 8080, protocol: "TCP" }]);
      const [endpoint] = slice?.endpoints ?? [];
      assert.deepEqual(endpoint?.addresses, ["10.244.0.7"]);
      assert.deepEqual(endpoint?.conditions, { ready: true, serving: true, terminating: false });
      assert.equal(endpoint?.targetRef?.name, "a");
      assert.equal(endpoint?.nodeName, node);
    },
  },
];
