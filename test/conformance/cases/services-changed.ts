import assert from "node:assert/strict";
import type { Service } from "@typekube/api/core/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { accepted, rawCollection, refused } from "../support/raw-collection.js";

const ports = [{ port: 80 }];
const alone = "Forbidden: may only be used when `type` is 'LoadBalancer'";

/** Cases for changes of Services, such as of their type. */
export const servicesChanged: readonly ConformanceCase[] = [
  {
    id: "service-balanced-alone",
    name: "the fields of a load balancer are rejected for Services of another type",
    async run(context) {
      const services = rawCollection(context, "/api/v1/%/services");
      const local =
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
      const faults: readonly (readonly [object, string])[] = [
        [{ loadBalancerSourceRanges: ["192.0.2.0/24"] }, `LoadBalancerSourceRanges: ${alone}`],
        [{ loadBalancerClass: "x.io/lb" }, `loadBalancerClass: ${alone}`],
        [{ allocateLoadBalancerNodePorts: true }, `allocateLoadBalancerNodePorts: ${alone}`],
        [{ healthCheckNodePort: 30_500 }, `healthCheckNodePort: Invalid value: 30500: ${local}`],
        [
          { trafficDistribution: "Odd" },
          'trafficDistribution: Unsupported value: "Odd": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
        ],
      ];
      for (const [fault, why] of faults) {
        const response = services.post("", { metadata: { name: "a" }, spec: { ports, ...fault } });
        assert.deepEqual(await refused(response), [422, `Service "a" is invalid: spec.${why}`]);
      }
    },
  },
  {
    id: "service-class-kept",
    name: "loadBalancerClass is immutable, and removed with the type",
    async run(context) {
      const services = rawCollection(context, "/api/v1/%/services");
      const spec = { ports, type: "LoadBalancer", loadBalancerClass: "x.io/lb" };
      await accepted(services.post("", { metadata: { name: "a" }, spec }));
      for (const loadBalancerClass of ["x.io/other", null]) {
        assert.deepEqual(await refused(services.merge("/a", { spec: { loadBalancerClass } })), [
          422,
          `Service "a" is invalid: spec.loadBalancerClass: Invalid value: ${JSON.stringify(loadBalancerClass)}: may not change once set`,
        ]);
      }
      const plain = await accepted<Service>(services.merge("/a", { spec: { type: "NodePort" } }));
      assert.equal(plain.spec?.loadBalancerClass, undefined);
      assert.equal(plain.spec?.allocateLoadBalancerNodePorts, undefined);
    },
  },
  {
    id: "service-meaningless",
    name: "a changed type or policy removes the fields that depend on it: health check port, node ports, policies, address",
    async run(context) {
      const services = rawCollection(context, "/api/v1/%/services");
      const spec = { ports, type: "LoadBalancer", externalTrafficPolicy: "Local" };
      const made = await accepted<Service>(services.post("", { metadata: { name: "a" }, spec }));
      assert.equal(typeof made.spec?.healthCheckNodePort, "number");
      const change = (more: object) =>
        accepted<Service>(services.merge("/a", { spec: { ...more } }));
      const everywhere = await change({ externalTrafficPolicy: "Cluster" });
      assert.equal(everywhere.spec?.healthCheckNodePort, undefined);
      const named = await change({ type: "ExternalName", externalName: "x.io" });
      assert.deepEqual(
        [
          named.spec?.ports?.[0]?.nodePort,
          named.spec?.externalTrafficPolicy,
          named.spec?.internalTrafficPolicy,
          named.spec?.clusterIP,
        ],
        [undefined, undefined, undefined, undefined],
      );
    },
  },
];
