import { loadProtobufTable, type ProtobufTable, parseMessage } from "@typekube/api/protobuf";
import { describe, expect, test } from "vitest";

function table(messages: Record<string, string>): ProtobufTable {
  return { name: "example/v1", imports: {}, messages };
}

const plain = {
  container: "one",
  pointer: false,
  always: false,
  omitZero: false,
  inline: false,
} as const;

/** Returns the text of a message in a table. */
function text(of: ProtobufTable | undefined, name: string): string | undefined {
  return of?.messages[name];
}

describe("parseMessage", () => {
  test("reads number, name and type of each field", () => {
    expect(parseMessage(table({ A: "1 name string;12 spec meta/v1.Spec" }), "A")).toEqual({
      form: undefined,
      fields: [
        { ...plain, number: 1, jsonName: "name", type: "string" },
        { ...plain, number: 12, jsonName: "spec", type: "meta/v1.Spec" },
      ],
    });
  });

  test("reads lists, maps and flags", () => {
    const message = parseMessage(
      table({ A: "1 a []string !;2 b {}Quantity;3 c int64 *;4 d Source ~;5 e Time z;6 f Time *!" }),
      "A",
    );
    expect(message?.fields).toEqual([
      { ...plain, number: 1, jsonName: "a", type: "string", container: "list", always: true },
      { ...plain, number: 2, jsonName: "b", type: "Quantity", container: "map" },
      { ...plain, number: 3, jsonName: "c", type: "int64", pointer: true },
      { ...plain, number: 4, jsonName: "d", type: "Source", inline: true },
      { ...plain, number: 5, jsonName: "e", type: "Time", omitZero: true },
      { ...plain, number: 6, jsonName: "f", type: "Time", pointer: true, always: true },
    ]);
  });

  test("reads the form of a message whose JSON is not an object", () => {
    const message = parseMessage(table({ Time: "@time 1 seconds int64;2 nanos int32" }), "Time");
    expect(message?.form).toBe("time");
    expect(message?.fields.map((field) => field.jsonName)).toEqual(["seconds", "nanos"]);
    expect(parseMessage(table({ Odd: "@raw" }), "Odd")).toEqual({ form: "raw", fields: [] });
  });

  test("reads a message without fields", () => {
    expect(parseMessage(table({ Empty: "" }), "Empty")).toEqual({ form: undefined, fields: [] });
  });

  test("returns undefined for a message that the table lacks, including names of Object.prototype", () => {
    expect(parseMessage(table({}), "constructor")).toBeUndefined();
    expect(parseMessage(table({}), "__proto__")).toBeUndefined();
  });
});

describe("loadProtobufTable", () => {
  test("returns undefined for group-versions that are not built in", async () => {
    expect(await loadProtobufTable("example.com/v1")).toBeUndefined();
    expect(await loadProtobufTable("autoscaling/v2beta1")).toBeUndefined();
    expect(await loadProtobufTable("constructor")).toBeUndefined();
  });

  test("loads tables that mark the types whose JSON and protobuf shapes differ", async () => {
    const core = await loadProtobufTable("v1");
    expect(text(core, "Volume")).toBe("1 name string !;2 volumeSource VolumeSource ~");
    const meta = core?.imports["meta/v1"];
    expect(text(meta, "FieldsV1")).toBe("@raw 1 Raw bytes");
    expect(text(meta, "MicroTime")).toBe("@microTime 1 seconds int64;2 nanos int32");
    expect(text(core?.imports["api/resource"], "Quantity")).toBe("@quantity 1 string string");
    const authentication = await loadProtobufTable("authentication.k8s.io/v1");
    expect(text(authentication, "ExtraValue")).toBe("@items 1 items []string");
    expect(text(authentication, "UserInfo")).toContain("4 extra {}ExtraValue");
    const webhooks = await loadProtobufTable("admissionregistration.k8s.io/v1");
    expect(text(webhooks, "MutatingWebhookConfiguration")).toContain(
      "2 webhooks []MutatingWebhook",
    );
    const crd = await loadProtobufTable("apiextensions.k8s.io/v1");
    expect(text(crd, "JSONSchemaProps")).toContain(";3 $ref string *;");
    expect(text(crd, "JSONSchemaPropsOrBool")).toMatch(/^@schemaOrBool 1 allows bool;2 schema /);
  });
});
