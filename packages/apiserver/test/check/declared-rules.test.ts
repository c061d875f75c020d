import { startApiServer } from "@typekube/apiserver";
import { check } from "@typekube/apiserver/check";
import { call } from "@typekube/test-support/api-calls";
import { expect, test } from "vitest";

const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
const request = (name: string) => ({ name, exactly: { deviceClassName: "c" } });
const pool = { name: "p", generation: 1, resourceSliceCount: 1 };

/** Objects that break one rule that their Go types declare. */
const broken: readonly (readonly [rule: string, path: string, object: Record<string, unknown>])[] =
  [
    [
      "required",
      "/apis/node.k8s.io/v1/runtimeclasses",
      { apiVersion: "node.k8s.io/v1", kind: "RuntimeClass" },
    ],
    [
      "minimum",
      "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
      {
        apiVersion: "autoscaling/v2",
        kind: "HorizontalPodAutoscaler",
        spec: { scaleTargetRef, maxReplicas: 3, minReplicas: -1 },
      },
    ],
    [
      "maxItems",
      "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
      {
        apiVersion: "discovery.k8s.io/v1",
        kind: "EndpointSlice",
        addressType: "IPv4",
        endpoints: [{ addresses: Array.from({ length: 101 }, (_, index) => `10.0.0.${index}`) }],
      },
    ],
    [
      "enum",
      "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
      { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", addressType: "X", endpoints: [] },
    ],
    [
      "listMapKey",
      "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims",
      {
        apiVersion: "resource.k8s.io/v1",
        kind: "ResourceClaim",
        spec: { devices: { requests: [request("r"), request("r")] } },
      },
    ],
    [
      "unionMember",
      "/apis/resource.k8s.io/v1/resourceslices",
      {
        apiVersion: "resource.k8s.io/v1",
        kind: "ResourceSlice",
        spec: {
          driver: "d.example.com",
          nodeName: "n",
          pool,
          devices: [{ name: "d", attributes: { x: { int: 1, bool: true } } }],
        },
      },
    ],
  ];

test("MC26: rules that types declare have the causes of the server", async () => {
  await using api = await startApiServer();
  for (const [rule, path, given] of broken) {
    const isNamespaced = path.includes("/namespaces/");
    const metadata = { name: "a", ...(isNamespaced ? { namespace: "default" } : {}) };
    const object = { ...given, metadata };
    const { body } = await call(api, "POST", `${path}?dryRun=All`, object);
    const causes = body.details.causes.map(({ field, reason, message }: Record<string, string>) => [
      field,
      reason,
      `${field}: ${message}`,
    ]);
    expect(causes, rule).toHaveLength(1);
    const { findings } = await check(object);
    expect(
      findings.map(({ field, reason, message }) => [field, reason, message]),
      rule,
    ).toEqual(causes);
  }
});
