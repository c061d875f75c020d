import { describe, expect, test } from "vitest";
import { pathReader } from "../src/custom-resources/printer-column.js";
import { servedVersions } from "../src/custom-resources/served-versions.js";
import { renamingConverter } from "../src/resources/converter.js";
import { readDefinition } from "../src/resources/definition.js";

describe("schemas of custom resources", () => {
  test.each([
    [".a.b", 1],
    [".list[1].x", 2],
    [".list[-1].x", 3],
    ['.list[?(@.k=="two")].x', 2],
    [".a\\.b", 4],
    ["['a.b']", 4],
    [".missing.b", undefined],
    ["no path", undefined],
  ])("TAB9: the column path %s finds %j", (path, value) => {
    const list = [{ x: 1 }, { k: "two", x: 2 }, { x: 3 }];
    expect(pathReader(path)({ a: { b: 1 }, list, "a.b": 4 })).toBe(value);
  });

  test("a served resource returns the schema of its version unchanged", () => {
    const written = {
      type: "object",
      description: "all of it",
      properties: { n: { type: "string" } },
    };
    const definition = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "lamps.example.com" },
      spec: {
        group: "example.com",
        scope: "Cluster",
        names: { kind: "Lamp", plural: "lamps" },
        versions: [
          { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: written } },
          { name: "v0", served: false, storage: false, schema: { openAPIV3Schema: written } },
        ],
      },
      status: { acceptedNames: { kind: "Lamp", plural: "lamps" } },
    };
    const served = servedVersions(definition, readDefinition(definition, renamingConverter));
    expect(served.map(({ version }) => version)).toEqual(["v1"]);
    expect(served[0]?.defined?.schema.source).toBe(written);
    expect(served[0]?.defined?.schema.properties.get("n")?.type).toBe("string");
    expect(served[0]?.namespaced).toBe(false);
  });

  test("versions with equal schemas share one, and with it the compiled rules", () => {
    const versions = [{ a: "string" }, { a: "integer" }, { a: "string" }].map(
      ({ a: type }, at) => ({
        name: `v${at}`,
        storage: at === 0,
        schema: { openAPIV3Schema: { type: "object", properties: { a: { type } } } },
      }),
    );
    const definition = { apiVersion: "v1", kind: "X", metadata: {}, spec: { versions } };
    const read = readDefinition(definition, renamingConverter).versions;
    expect(read.get("v2")?.schema).toBe(read.get("v0")?.schema);
    expect(read.get("v1")?.schema).not.toBe(read.get("v0")?.schema);
  });
});
