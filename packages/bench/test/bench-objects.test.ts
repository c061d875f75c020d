import { expect, it } from "vitest";
import { configMapData, configMapName, indexOfConfigMap } from "../src/bench-objects.js";
import { reviewRequest } from "../src/review-request.js";

it.each([0, 35, 99_999])("ConfigMap %i has about 1 kB, and other data than the others", (index) => {
  const data = configMapData(index, 1_790_000_000_000);
  const kind = { kind: "ConfigMap", apiVersion: "v1" };
  const metadata = {
    name: configMapName(index),
    namespace: "bench",
    uid: "0e4f8b2a-6c1d-4f3e-9a7b-5d2c8e1f0a93",
    resourceVersion: "1234567",
    creationTimestamp: "2026-11-20T08:00:00Z",
  };
  const bytes = JSON.stringify({ ...kind, metadata, data }).length;
  expect(Math.abs(bytes - 1_000)).toBeLessThan(100);
  expect(data).not.toEqual(configMapData(index + 1, 1_790_000_000_000));
  expect(data).not.toEqual(configMapData(index, 0));
  expect(indexOfConfigMap(metadata.name)).toBe(index);
});

it("the request of a review states the length of its body, which has a pod of 1 kB", () => {
  const text = reviewRequest(new URL("https://127.0.0.1:9443/mutate--v1-pod")).toString();
  const [head = "", body = ""] = text.split("\r\n\r\n");
  expect(head.split("\r\n")[0]).toBe("POST /mutate--v1-pod?timeout=10s HTTP/1.1");
  expect(head).toContain(`\r\ncontent-length: ${body.length}`);
  const { request } = JSON.parse(body) as { request: { object: object } };
  expect(Math.abs(JSON.stringify(request.object).length - 1_000)).toBeLessThan(100);
});
