import type { JsonObject } from "@typekube/core/internal";
import { expect, test } from "vitest";
import * as z from "zod";
import { generate, type KindSource, readDefinitions } from "../../src/generate/index.js";
import { compile } from "./compile.js";
import { definition, fixture } from "./fixture.js";

async function tricky(schemas: "json" | "zod") {
  return generate([await readDefinitions([await fixture("tricky.yaml")])], { schemas });
}

/** The parts of JSON Schema that the test reads. */
interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties: Readonly<Record<string, Schema>>;
}

test("GT34: --schemas json has a file for each kind, and an index that chooses by apiVersion and kind", async () => {
  const { files } = await tricky("json");
  expect([...files.keys()].filter((path) => path.endsWith(".json"))).toEqual([
    "schemas.json",
    "tricky.typekube.dev/v1/gadget.json",
    "tricky.typekube.dev/v1/string.json",
    "tricky.typekube.dev/v1/verb.json",
    "tricky.typekube.dev/v1beta1/gadget.json",
  ]);
  const index = JSON.parse(files.get("schemas.json") ?? "") as {
    allOf: { then: { $ref: string } }[];
  };
  for (const { then } of index.allOf) {
    expect(files.has(then.$ref)).toBe(true);
  }
  expect(index.allOf[0]).toMatchObject({
    if: {
      properties: { apiVersion: { const: "tricky.typekube.dev/v1" }, kind: { const: "Gadget" } },
    },
  });
});

test("GT34: JSON Schema says what the definition says, in the words of draft 7", async () => {
  const { files } = await tricky("json");
  const gadget = JSON.parse(files.get("tricky.typekube.dev/v1/gadget.json") ?? "") as Schema;
  const spec = gadget.properties["spec"]?.properties ?? {};
  expect(gadget["required"]).toEqual(["apiVersion", "kind", "metadata", "spec"]);
  expect(gadget.properties["spec"]?.["additionalProperties"]).toBe(false);
  expect(spec["open"]?.["additionalProperties"]).toBeUndefined();
  expect(spec["note"]?.["type"]).toEqual(["string", "null"]);
  expect(spec["mode"]?.["enum"]).toEqual(["on", "off", null]);
  expect(spec["port"]?.["type"]).toEqual(["integer", "string"]);
  expect(spec["limit"]).toMatchObject({ type: "integer", exclusiveMinimum: 1 });
  expect(spec["limit"]?.["minimum"]).toBeUndefined();
  expect(spec["source"]?.["oneOf"]).toEqual([{ required: ["git"] }, { required: ["image"] }]);
  expect(JSON.stringify(gadget)).not.toContain("x-kubernetes");
});

test("GT34: --schemas zod compiles, and its schemas are those of the definition", async () => {
  const { files } = await tricky("zod");
  expect(await compile(files)).toBe("");
  const text = files.get("tricky.typekube.dev/v1.zod.ts") ?? "";
  expect(text).toContain('export const GadgetSpecSchema: z.ZodType<NonNullable<Gadget["spec"]>>');
  expect(text).toContain("export const GadgetSchema: z.ZodType<Gadget>");
});

test("GT34: a schema of zod has the constraints, rules and list types of the definition", async () => {
  const schema = {
    type: "object",
    properties: {
      spec: {
        type: "object",
        required: ["name"],
        "x-kubernetes-validations": [{ rule: "self.size > 1" }],
        properties: {
          name: { type: "string", minLength: 1, pattern: "^[a-z]+$", description: "A */ name." },
          odd: { type: "string", pattern: "(?i)^a$" },
          size: { type: "integer", format: "int32", minimum: 1, maximum: 9, default: 3 },
          note: { type: "string", nullable: true },
          port: {
            "x-kubernetes-int-or-string": true,
            anyOf: [{ type: "integer" }, { type: "string" }],
          },
          open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          tags: {
            type: "array",
            "x-kubernetes-list-type": "set",
            items: { type: "string", enum: ["a", "b"] },
          },
          map: { type: "object", additionalProperties: { type: "boolean" } },
          inner: {
            type: "object",
            default: {},
            properties: { deep: { type: "integer", default: 1 } },
          },
        },
      },
    },
  };
  const { files } = generate(
    [await readDefinitions([{ name: "a", text: definition({ schema }) }])],
    {
      schemas: "zod",
    },
  );
  const text = files.get("example.com/v1.zod.ts") ?? "";
  const spec = evaluate(text, "WidgetSpecSchema");
  expect(spec.parse({ name: "a", unknown: 1 })).toEqual({ name: "a", size: 3, inner: { deep: 1 } });
  for (const wrong of [{}, { name: "A" }, { name: "a", size: 10 }, { name: "a", tags: ["c"] }]) {
    expect(spec.safeParse(wrong).success).toBe(false);
  }
  expect(spec.safeParse({ name: "a", note: null, port: "http", open: { a: 1 } }).success).toBe(
    true,
  );
  const described = z.toJSONSchema(spec, { target: "openapi-3.0", io: "input" }) as Schema;
  expect(described["x-kubernetes-validations"]).toEqual([{ rule: "self.size > 1" }]);
  expect(described["required"]).toEqual(["name"]);
  expect(described.properties).toMatchObject({
    name: { minLength: 1, pattern: "^[a-z]+$", description: "A */ name." },
    odd: { pattern: "(?i)^a$" },
    size: { type: "integer", minimum: 1, maximum: 9, default: 3 },
    note: { nullable: true },
    port: { "x-kubernetes-int-or-string": true },
    tags: { "x-kubernetes-list-type": "set" },
    inner: { default: {} },
  });
});

test.each(["number", "bigint"] as const)(
  "GT34: zod keeps the digits of integers beyond 2^53, int64 %s",
  async (int64) => {
    const schema = {
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: {
            id: { type: "integer", format: "int64", default: "BIG" },
            least: { type: "integer", format: "int64", default: "-BIG" },
            kind: { type: "integer", format: "int64", enum: [1, "BIG"], default: "BIG" },
            inner: {
              type: "object",
              default: { ids: ["BIG"] },
              properties: { ids: { type: "array", items: { type: "integer", format: "int64" } } },
            },
            small: { type: "integer", format: "int64", default: 7 },
          },
        },
      },
    };
    const given = definition({ schema }).replace(/"(-?)BIG"/g, "$19007199254740993");
    const { files } = generate([await readDefinitions([{ name: "a", text: given }])], {
      int64,
      schemas: "zod",
    });
    expect(await compile(files)).toBe("");
    const spec = evaluate(files.get("example.com/v1.zod.ts") ?? "", "WidgetSpecSchema");
    const big = 9007199254740993n;
    const filled = { id: big, least: -big, kind: big, inner: { ids: [big] }, small: 7 };
    expect(spec.parse({})).toEqual(filled);
    expect(spec.parse({ id: 1, kind: 1, inner: {} })).toEqual({
      ...filled,
      id: 1,
      kind: 1,
      inner: {},
    });
    expect(spec.safeParse({ kind: big - 1n }).success).toBe(false);
  },
);

/** Returns a schema of a module. Its annotations are removed, since the compiler has checked them. */
function evaluate(text: string, name: string): z.ZodType {
  const code = text
    .replace(/^import .*$/gm, "")
    .replace(/^export const (\w+): .*? = /gm, "const $1 = ")
    .replace(/ as unknown as z\.ZodType<.*>;$/gm, ";");
  return new Function("z", `${code}; return ${name};`)(z) as z.ZodType;
}

test.each(["json", "zod"] as const)(
  "GT35 [+]: the definitions of --schemas %s give the same files again",
  async (schemas) => {
    const options = { schemas, unserved: true } as const;
    const { files, problems } = generate(
      [await readDefinitions([await fixture("tricky.yaml")])],
      options,
    );
    expect(problems).toEqual([]);
    const text = files.get("definitions.yaml") ?? "";
    expect(text).toMatch(/^# Generated by typekube generate\. Do not edit\.\n/);
    const again = generate([await readDefinitions([{ name: "definitions.yaml", text }])], options);
    expect(again.problems).toEqual([]);
    expect(again.files).toEqual(files);
  },
);

test("GT35 [+]: types alone come without definitions", async () => {
  const { files } = generate([await readDefinitions([await fixture("tricky.yaml")])]);
  expect([...files.keys()].filter((path) => !path.endsWith(".ts"))).toEqual([]);
});

test("GT32: selectable fields, merge keys, columns and scale are a typed constant beside the descriptor", async () => {
  const { GadgetFacts } = await import("./generated/tricky.typekube.dev/v1.js");
  expect(GadgetFacts).toEqual({
    selectableFields: ["spec.color"],
    listMapKeys: { "spec.rules": ["name"] },
    sets: ["spec.choices"],
    columns: [{ name: "Color", type: "string", jsonPath: ".spec.color" }],
    scale: {
      specReplicasPath: ".spec.replicas",
      statusReplicasPath: ".status.replicas",
      labelSelectorPath: ".status.selector",
    },
  });
});

test("GT32: a kind without facts has no constant, and schemas that hold themselves end", () => {
  const components = {
    Node: { type: "object", properties: { children: { $ref: "#/components/schemas/Nodes" } } },
    Nodes: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { allOf: [{ $ref: "#/components/schemas/Node" }] },
    },
  };
  const source = (kind: string, schema: object) => ({
    ...definitionFacts(kind),
    schema: { type: "object", properties: { spec: schema } } as JsonObject,
    components: components as Readonly<Record<string, JsonObject>>,
  });
  const sources = [
    source("Plain", { type: "object" }),
    source("Tree", { $ref: "#/components/schemas/Node" }),
  ];
  const { files } = generate([{ sources, problems: [], skipped: new Map(), notes: [] }]);
  const text = files.get("example.com/v1.ts") ?? "";
  expect(text).not.toContain("PlainFacts");
  expect(text).toContain('listMapKeys: { "spec.children": ["name"] }');
});

function definitionFacts(kind: string): Omit<KindSource, "components" | "schema"> {
  return {
    group: "example.com",
    version: "v1",
    kind,
    listKind: `${kind}List`,
    plural: `${kind.toLowerCase()}s`,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    scope: "Namespaced",
    verbs: ["get"],
    subresources: {},
    selectableFields: [],
    columns: [],
    served: true,
    origin: "test",
  };
}
