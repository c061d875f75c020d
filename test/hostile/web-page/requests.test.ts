import { readFileSync } from "node:fs";
import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { builtInResources } from "@typekube/api/resources";
import { parseManifests } from "@typekube/core";
import { type HttpMethod, stringifyJson } from "@typekube/core/internal";
import { call } from "@typekube/test-support/api-calls";
import { expect, test } from "vitest";
import { startApiServer } from "../../../packages/apiserver/src/index.js";
import { seededRandom } from "../../../packages/apiserver/src/objects/random.js";

/** Number of requests. TYPEKUBE_FUZZ sets a larger number than a quick run has time for. */
const requests = Math.min(Number(process.env["TYPEKUBE_FUZZ"] ?? 1_000), 40_000);
const seed = 20_261_122;
const random = seededRandom(seed);

/** Values that replace the intended ones. */
const odd: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  9_007_199_254_740_993n,
  "",
  "a",
  "A b/ü",
  "-1",
  "10Gi",
  "2026-01-01T00:00:00Z",
  [],
  [null],
  ["a", "a"],
  [{}],
  {},
  { "": null },
  { name: "a", key: "a" },
];
const patchTypes: Readonly<Record<string, string>> = {
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  json: "application/json-patch+json",
  apply: "application/apply-patch+yaml",
};
const queries = [
  "",
  "dryRun=All",
  "fieldManager=m",
  "fieldValidation=Strict",
  "fieldManager=m&force=true",
  "gracePeriodSeconds=0",
  "propagationPolicy=Foreground",
  "resourceVersion=1&resourceVersionMatch=Exact",
  "limit=1",
  "continue=abc",
  "labelSelector=a%20in%20(",
  "fieldSelector=metadata.name%3Da",
];
const accepts = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
  "application/cbor",
  "application/json;as=Table;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  "text/plain;;,",
];

test(`${requests} requests with one fault each are rejected or handled, never an internal error`, {
  timeout: 300_000,
}, async () => {
  const file = new URL("../../conformance/every-kind/objects.yaml", import.meta.url);
  const objects = await parseManifests(readFileSync(file, "utf8"));
  await using api = await startApiServer({ featureGates: { CBORServingAndStorage: true } });
  await call(api, "POST", "/api/v1/namespaces", { metadata: { name: "every-kind" } });
  const statuses = new Map<number, number>();
  const failures: string[] = [];
  for (let number = 0; number < requests; number++) {
    const { method, path, type, body } = requestAbout(pick(objects));
    const headers = { accept: pick(accepts), "content-type": type };
    const response = await call(api, method, path, body, headers);
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    if (/Internal error occurred/.test(response.text)) {
      failures.push(`${method} ${path} ${type}\n${response.text}\n${body}`);
    }
  }
  const counts = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
  console.log(`${requests} requests, seed ${seed}: ${counts.join(", ")}`);
  expect(failures.slice(0, 3).join("\n\n")).toBe("");
  expect((await call(api, "GET", "/version")).status).toBe(200);
});

/** Returns a request about an object, or a part of it, with one wrong value. */
function requestAbout(object: KubeObject) {
  const method = pick<HttpMethod>(["POST", "PUT", "PATCH", "PATCH", "PATCH", "GET", "DELETE"]);
  const patch = pick(Object.keys(patchTypes));
  const type = method === "PATCH" ? (patchTypes[patch] ?? "") : "application/json";
  const wrong = spoiled(object);
  const value = method === "PATCH" && patch === "json" ? operationsOf(object) : wrong;
  return { method, path: pathOf(object, method), type, body: Buffer.from(stringifyJson(value)) };
}

function pathOf({ apiVersion = "", kind, metadata }: KubeObject, method: HttpMethod): string {
  const { plural, scope, subresources } = (builtInResources as readonly ResourceDescriptor[]).find(
    (one) => one.apiVersion === apiVersion && one.kind === kind,
  ) as ResourceDescriptor;
  const root = apiVersion.includes("/") ? "/apis" : "/api";
  const home = scope === "Namespaced" ? "/namespaces/every-kind" : "";
  const isOne = method !== "POST" && random() < 0.9;
  const below = ["", "", "", ...Object.keys(subresources)].map((name) => (name ? `/${name}` : ""));
  const one = isOne ? `/${metadata?.name}${pick(below)}` : "";
  return `${root}/${apiVersion}${home}/${plural}${one}?${pick(queries)}`;
}

function operationsOf(object: KubeObject): unknown[] {
  return Array.from({ length: 2 }, () => ({
    op: pick(["add", "remove", "replace", "test", "move", "copy"]),
    path: `/${pathIn(object).join("/")}`,
    from: `/${pathIn(object).join("/")}`,
    value: pick(odd),
  }));
}

/** Returns a copy in which the value at a random place is replaced or removed. */
function spoiled(object: KubeObject): unknown {
  const copy = structuredClone(object) as unknown as Record<string, unknown>;
  const path = pathIn(object);
  const last = path.pop();
  const parent = path.reduce<Record<string, unknown>>(
    (at, key) => at[key] as Record<string, unknown>,
    copy,
  );
  if (last !== undefined) {
    if (random() < 0.2) {
      delete parent[last];
    } else {
      parent[last] = pick(odd);
    }
  }
  return copy;
}

/** Returns the path to a random place in a value. */
function pathIn(value: unknown): string[] {
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  if (keys.length === 0 || random() < 0.1) {
    return [];
  }
  const key = pick(keys);
  return [key, ...pathIn((value as Record<string, unknown>)[key])];
}

function pick<T>(items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}
