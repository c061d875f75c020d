import { expect, it } from "vitest";
import {
  endpointSliceOf,
  hasEndpoint,
} from "../../src/controllers/endpoint-slices/endpoint-slice.js";
import { objectOf, podOf, readyStatus, selector } from "./controller-context.js";

const containers = [{ name: "main", ports: [{ name: "http", containerPort: 8_080 }] }];
const pod = (name: string, podIP: string, status: object = readyStatus) =>
  podOf(name, { spec: { containers, nodeName: "n1" }, status: { ...status, podIP } });

it("has an endpoint for each pod, and looks named ports up in the pods", () => {
  const ports = [
    { port: 80, targetPort: "http" },
    { name: "none", port: 81, targetPort: "none" },
  ];
  const service = objectOf("v1", "Service", "web", { spec: { selector, ports } });
  const slice = endpointSliceOf(
    service,
    [pod("a", "10.0.0.7"), pod("b", "10.0.0.8", { phase: "Running" })],
    "2026-01-01T00:00:00Z",
  );
  expect(slice["ports"]).toEqual([{ name: "", port: 8_080, protocol: "TCP" }]);
  expect(slice["endpoints"]).toMatchObject([
    { addresses: ["10.0.0.7"], nodeName: "n1", conditions: { ready: true, serving: true } },
    { addresses: ["10.0.0.8"], nodeName: "n1", conditions: { ready: false, serving: false } },
  ]);
});

it("a pod without an address or with ended containers has no endpoint", () => {
  expect([pod("a", ""), pod("b", "10.0.0.7", { phase: "Failed" })].map(hasEndpoint)).toEqual([
    false,
    false,
  ]);
});
