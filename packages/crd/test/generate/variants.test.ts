import { expect, test } from "vitest";
import { generate, readDefinitions } from "../../src/generate/index.js";
import { maxVariants } from "../../src/generate/types/read-variants.js";
import { definition } from "./fixture.js";

const text = { type: "string" };
const properties = { a: text, b: text, kind: { type: "string", enum: ["A", "B"] } };

/** Returns the variants of `spec` as lines; undefined for an interface. */
async function variants(more: object, fields: object = properties) {
  const spec = { type: "object", properties: fields, ...more };
  const schema = { type: "object", properties: { spec } };
  const { files, problems } = generate([
    await readDefinitions([{ name: "a", text: definition({ schema }) }]),
  ]);
  expect(problems).toEqual([]);
  const [, found] =
    /type WidgetSpec = \{[^}]*\} & ([\s\S]*?);\n\n/.exec(files.get("example.com/v1.ts") ?? "") ??
    [];
  return found?.split("\n").flatMap((line) => /^ {2}\| (.*)$/.exec(line)?.[1] ?? []);
}

test.each([
  [
    "one of two fields",
    { oneOf: [{ required: ["a"] }, { required: ["b"] }] },
    ["{ a: string; b?: undefined }", "{ a?: undefined; b: string }"],
  ],
  [
    "any of two fields",
    { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    ["{ a: string }", "{ b: string }"],
  ],
  [
    "one field or none",
    { oneOf: [{ not: { required: ["a"] } }, { required: ["a"] }] },
    ["{ a?: undefined }", "{ a: string }"],
  ],
  [
    "a field together with another",
    { oneOf: [{ required: ["a", "b"] }, { required: ["b"] }] },
    ["{ a: string; b: string }", "{ a?: undefined; b: string }"],
  ],
  [
    "a kind with its field",
    {
      oneOf: [
        { required: ["a"], properties: { kind: { enum: ["A"] } } },
        { required: ["b"], properties: { kind: { enum: ["B"] } } },
      ],
    },
    ['{ a: string; kind?: "A" | undefined }', '{ b: string; kind?: "B" | undefined }'],
  ],
  [
    "alternatives in allOf",
    { allOf: [{ anyOf: [{ required: ["a"] }, { required: ["b"] }] }] },
    ["{ a: string }", "{ b: string }"],
  ],
])("GT29: %s is a union", async (_, schema, expected) => {
  expect(await variants(schema)).toEqual(expected);
});

test("GT29: a variant with a bound on a value does not forbid its field elsewhere: servers accept both", async () => {
  const bounded = { required: ["a"], properties: { a: { maxLength: 1 } } };
  expect(await variants({ oneOf: [bounded, { required: ["b"] }] })).toEqual([
    "{ a: string; b?: undefined }",
    "{ b: string }",
  ]);
});

test.each([
  ["a branch that says something else", { oneOf: [{ required: ["a"] }, { minProperties: 2 }] }],
  ["a branch that says nothing", { anyOf: [{ required: ["a"] }, {}] }],
  ["nested alternatives", { anyOf: [{ required: ["a"] }, { anyOf: [{ required: ["b"] }] }] }],
])("GT29: %s leaves an interface, since a union would refuse valid objects", async (_, schema) => {
  expect(await variants(schema)).toBeUndefined();
});

test(`GT29: more than ${maxVariants} combinations leave an interface, and the comment lists them`, async () => {
  const names = Array.from({ length: maxVariants + 1 }, (_, at) => `f${at}`);
  const fields = Object.fromEntries(names.map((name) => [name, text]));
  const oneOf = (count: number) => names.slice(0, count).map((name) => ({ required: [name] }));
  expect(await variants({ oneOf: oneOf(maxVariants) }, fields)).toHaveLength(maxVariants);
  expect(await variants({ oneOf: oneOf(maxVariants + 1) }, fields)).toBeUndefined();
});
