import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ComponentStatus, Endpoints, Pod } from "@typekube/api/core/v1";
import { builtInResources } from "@typekube/api/resources";
import { describe, expect, test } from "vitest";

const facts = join(import.meta.dirname, "../../codegen/facts");
const kinds = join(import.meta.dirname, "../src/generated/kinds");

function readFacts(name: string): Record<string, unknown>[] {
  return JSON.parse(readFileSync(join(facts, name), "utf8"));
}

describe("descriptors", () => {
  test("GRP12: the descriptors match aggregated discovery", () => {
    const discovered = readFacts("resources.json");
    const described = builtInResources.flatMap((resource) => [
      {
        apiVersion: resource.apiVersion,
        kind: resource.kind,
        resource: resource.plural,
        scope: resource.scope,
        singular: resource.singular,
        verbs: resource.verbs,
        ...(resource.shortNames.length > 0 && { shortNames: resource.shortNames }),
        ...(resource.categories.length > 0 && { categories: resource.categories }),
      },
      ...Object.entries(resource.subresources).map(([name, sub]) => ({
        apiVersion: resource.apiVersion,
        of: resource.plural,
        resource: name,
        kind: sub.kind,
        bodyApiVersion: sub.apiVersion,
        verbs: sub.verbs,
      })),
    ]);
    expect(described).toEqual(discovered);
  });

  test("group, version and apiVersion agree; listKind is set exactly when list is a verb", () => {
    for (const { group, version, apiVersion, listKind, kind, verbs } of builtInResources) {
      expect(apiVersion).toBe(group === "" ? version : `${group}/${version}`);
      expect(listKind).toBe(verbs.includes("list") ? `${kind}List` : undefined);
    }
  });

  test("CLI1: each kind has an interface, one for its list, and a descriptor that carries it", () => {
    const sources = new Map(
      readdirSync(kinds, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .map((file) => [file, readFileSync(join(kinds, file), "utf8")]),
    );
    const all = [...sources.values()];
    expect(builtInResources.length).toBeGreaterThan(90);
    for (const { apiVersion, kind, listKind } of builtInResources) {
      const own = all.find((source) =>
        source.includes(`apiVersion: "${apiVersion}",\n  kind: "${kind}"`),
      );
      expect(own, `${apiVersion} ${kind}`).toContain(`export const ${kind}: `);
      expect(own).toContain(`export interface ${kind} `);
      if (listKind !== undefined) {
        expect(own).toContain(`export interface ${listKind} `);
      }
    }
  });

  test("all built-in resources support protobuf", () => {
    expect(builtInResources.filter((resource) => !resource.protobuf)).toEqual([]);
  });

  test("Pod's descriptor holds its names, scope, subresources, reference and lifecycle", () => {
    expect(Pod).toMatchObject({
      group: "",
      version: "v1",
      apiVersion: "v1",
      kind: "Pod",
      listKind: "PodList",
      plural: "pods",
      singular: "pod",
      shortNames: ["po"],
      categories: ["all"],
      scope: "Namespaced",
      protobuf: true,
      reference: "https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#pod-v1-core",
      lifecycle: { introduced: "1.0" },
    });
    expect(Pod.subresources.eviction).toEqual({
      apiVersion: "policy/v1",
      kind: "Eviction",
      verbs: ["create"],
    });
  });

  test("deprecated kinds name the release that deprecated them and their replacement", () => {
    expect(ComponentStatus.lifecycle).toEqual({ introduced: "1.0", deprecated: "1.19" });
    expect(Endpoints.lifecycle).toEqual({
      introduced: "1.0",
      deprecated: "1.33",
      replacedBy: { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice" },
    });
  });

  test("a removed kind keeps its interface and its lifecycle, without a descriptor", () => {
    const source = readFileSync(join(kinds, "flowcontrol/v1beta3.ts"), "utf8");
    expect(source).toContain("Introduced in 1.26, deprecated in 1.29, removed in 1.32.");
    expect(source).toContain("@deprecated Use flowcontrol.apiserver.k8s.io/v1 FlowSchema.");
    expect(source).toContain("export interface FlowSchema {");
    expect(source).not.toContain("export const");
  });
});

describe("kind modules", () => {
  const files = readdirSync(kinds, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({ file, source: readFileSync(join(kinds, file), "utf8") }));

  test("load no other module at run time", () => {
    expect(files.length).toBeGreaterThan(60);
    for (const { file, source } of files) {
      const loads = source
        .split("\n")
        .filter(
          (line) => /^(import|export .* from)\b/.test(line) && !line.startsWith("import type"),
        );
      expect(loads, file).toEqual([]);
      expect(source, file).not.toMatch(/\b(import|require)\(/);
    }
  });

  test("state that they are generated", () => {
    for (const { file, source } of files) {
      expect(source.split("\n", 1)[0], file).toMatch(
        /^\/\/ Generated by packages\/codegen from Kubernetes \d+\.\d+\.\d+\. Do not edit\.$/,
      );
    }
  });
});
