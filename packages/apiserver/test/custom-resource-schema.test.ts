import { readStructuralSchema } from "@typekube/schema";
import { describe, expect, test } from "vitest";
import { pathReader } from "../src/custom-resources/printer-column.js";
import { servedVersions } from "../src/custom-resources/served-versions.js";
import { collectErrors } from "../src/errors/field-errors.js";
import { renamingConverter } from "../src/resources/converter.js";
import { readDefinition } from "../src/resources/definition.js";
import { validateValue } from "../src/schema/structural/validate-value.js";
import { hasFormat } from "../src/schema/structural/value-formats.js";

describe("schemas of custom resources", () => {
  test.each([
    ["date-time", "2026-01-01T00:00:00Z", "2026-13-01T00:00:00Z"],
    ["date", "2024-02-29", "2023-02-29"],
    ["ipv4", "10.0.0.1", "10.0.0.256"],
    ["ipv6", "fe80::1", "fe80::1::2"],
    ["cidr", "10.0.0.0/8", "10.0.0.0/33"],
    ["mac", "01:02:03:04:05:06", "01:02"],
    ["uuid", "0f8fad5b-d9cb-469f-a165-70867728950e", "0f8fad5b"],
    ["email", "a@example.com", "a example.com"],
    ["hostname", "web-1.example.com", "-web"],
    ["uri", "https://example.com/x", "example com"],
    ["byte", "aGk=", "a"],
    ["duration", "1h30m", "soon"],
    ["hexcolor", "#fff", "#ffff"],
    ["isbn", "978-0321751041", "978-0321751042"],
    ["k8s-short-name", "web-1", "Web"],
    ["k8s-long-name", "a.web-1", "a..b"],
  ])("ES14: the format %s accepts %j and rejects %j", (format, good, bad) => {
    expect([hasFormat(good, format), hasFormat(bad, format)]).toEqual([true, false]);
  });

  test("ES14: an unknown format checks nothing, and formats depend on the type", () => {
    const causes = (schema: object, value: unknown) =>
      collectErrors((errors) => validateValue(value, readStructuralSchema(schema as never), errors))
        .length;
    expect(causes({ type: "string", format: "wave" }, "x")).toBe(0);
    expect(causes({ type: "integer", format: "date" }, 1)).toBe(0);
    expect(causes({ type: "string", format: "date" }, "x")).toBe(1);
  });

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
});
