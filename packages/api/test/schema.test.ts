import { type FieldSchema, loadSchema, type SchemaTable } from "@typekube/api/schema";
import { describe, expect, test } from "vitest";
import { schemaLoaders } from "../src/generated/schema/loaders.js";

async function field(
  apiVersion: string,
  type: string,
  name: string,
): Promise<FieldSchema | undefined> {
  return (await loadSchema(apiVersion))?.types[type]?.fields[name];
}

describe("schema tables", () => {
  test("a list field has its list type, merge keys and patch strategy", async () => {
    expect(await field("v1", "PodSpec", "containers")).toEqual({
      type: "Container",
      container: "list",
      required: true,
      listType: "map",
      listMapKeys: ["name"],
      patchStrategy: "merge",
      patchMergeKey: "name",
    });
    expect(await field("v1", "ServiceSpec", "ports")).toMatchObject({
      listType: "map",
      listMapKeys: ["port", "protocol"],
      patchMergeKey: "port",
    });
    expect(await field("v1", "PodSpec", "volumes")).toMatchObject({
      patchStrategy: "merge,retainKeys",
    });
    expect(await field("apps/v1", "DeploymentSpec", "strategy")).toMatchObject({
      patchStrategy: "retainKeys",
    });
    expect(await field("v1", "NodeSpec", "podCIDRs")).toMatchObject({ listType: "set" });
  });

  test("atomic structs and maps are marked", async () => {
    const types = Object.entries((await loadSchema("v1"))?.types ?? {});
    const atomic = types.filter(([, type]) => type.mapType === "atomic").map(([name]) => name);
    expect(atomic).toContain("ObjectReference");
    expect(atomic).not.toContain("PodSpec");
    expect(await field("v1", "PodSpec", "nodeSelector")).toMatchObject({
      container: "map",
      mapType: "atomic",
    });
  });

  test("formats, enums and defaults are recorded; zero defaults from OpenAPI are not", async () => {
    expect(await field("v1", "ServicePort", "protocol")).toEqual({
      type: "string",
      enum: ["SCTP", "TCP", "UDP"],
      default: "TCP",
      omitempty: true,
    });
    expect(await field("v1", "ServicePort", "port")).toEqual({
      type: "integer",
      format: "int32",
      required: true,
    });
    expect(await field("v1", "ServicePort", "targetPort")).toMatchObject({
      format: "int-or-string",
    });
    expect(await field("v1", "Secret", "data")).toMatchObject({
      type: "string",
      container: "map",
      format: "byte",
    });
    expect(await field("v1", "ResourceRequirements", "limits")).toMatchObject({
      container: "map",
      format: "quantity",
    });
    expect(await field("meta.k8s.io/v1", "ObjectMeta", "creationTimestamp")).toMatchObject({
      format: "date-time",
    });
  });

  test("fields of inlined structs appear where JSON has them", async () => {
    expect(await field("v1", "Volume", "configMap")).toMatchObject({
      type: "ConfigMapVolumeSource",
    });
    expect(await field("v1", "Volume", "volumeSource")).toBeUndefined();
  });

  test("every field type is in the table or in a table it imports", async () => {
    const check = (table: SchemaTable): void => {
      for (const [name, type] of Object.entries(table.types)) {
        for (const [fieldName, { type: text }] of Object.entries(type.fields)) {
          const dot = text.lastIndexOf(".");
          const other = dot < 0 ? table : table.imports[text.slice(0, dot)];
          const known = /^[a-z]+$/.test(text) || other?.types[text.slice(dot + 1)] !== undefined;
          expect(known, `${table.name}.${name}.${fieldName}: ${text}`).toBe(true);
        }
      }
    };
    for (const load of Object.values(schemaLoaders)) {
      check((await load()).table);
    }
  });

  test("group-versions that are not built in have no schema", async () => {
    expect(await loadSchema("example.com/v1")).toBeUndefined();
    expect(await loadSchema("toString")).toBeUndefined();
  });
});
