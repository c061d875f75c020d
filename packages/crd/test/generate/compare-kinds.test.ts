import { expect, test } from "vitest";
import { compareKinds, readDefinitions } from "../../src/generate/index.js";
import { definition } from "./fixture.js";

/** Returns the changes between two schemas of `spec.a`, as lines. */
async function changes(before: object, after: object, required: readonly string[] = []) {
  const sources = async (a: object, more: object = {}) => {
    const spec = { type: "object", properties: { a }, ...more };
    const text = definition({ schema: { type: "object", properties: { spec } } });
    return (await readDefinitions([{ name: "a", text }])).sources;
  };
  const found = compareKinds(await sources(before), await sources(after, { required }));
  return found.map(({ path, change }) => `${path}: ${change}`);
}

const text = { type: "string" };
const whole = { type: "integer" };
const withField = { type: "object", properties: { b: text } };

test.each([
  ["nothing", text, text, []],
  ["a description", text, { ...text, description: "b" }, []],
  ["a wider bound", { ...whole, maximum: 1 }, { ...whole, maximum: 2 }, []],
  [
    "a tighter bound",
    { ...whole, maximum: 2 },
    { ...whole, maximum: 1 },
    ["spec.a: maximum changed from 2 to 1"],
  ],
  ["a new bound", text, { ...text, minLength: 1 }, ["spec.a: minLength added: 1"]],
  ["a type", text, whole, ['spec.a: type changed from "string" to "integer"']],
  ["a type that allows more", whole, { "x-kubernetes-preserve-unknown-fields": true }, []],
  ["null", { ...text, nullable: true }, text, ["spec.a: nullable removed"]],
  [
    "a smaller enumeration",
    { ...text, enum: ["a", "b"] },
    { ...text, enum: ["b"] },
    ['spec.a: enum lost ["a"]'],
  ],
  ["a larger enumeration", { ...text, enum: ["a"] }, { ...text, enum: ["a", "b"] }, []],
  ["a new enumeration", text, { ...text, enum: ["a"] }, ["spec.a: enum added"]],
  ["a field", withField, { type: "object" }, ["spec.a.b: field removed"]],
  [
    "a field that is kept as unknown",
    withField,
    { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    [],
  ],
  [
    "unknown fields",
    { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    withField,
    ["spec.a: x-kubernetes-preserve-unknown-fields removed"],
  ],
  [
    "items",
    { type: "array", items: withField },
    { type: "array", items: { type: "object" } },
    ["spec.a[].b: field removed"],
  ],
  [
    "values",
    { type: "object", additionalProperties: text },
    { type: "object", additionalProperties: whole },
    ['spec.a[*]: type changed from "string" to "integer"'],
  ],
  [
    "a pattern",
    { ...text, pattern: "a" },
    { ...text, pattern: "b" },
    ['spec.a: pattern changed from "a" to "b"'],
  ],
  ["a removed pattern", { ...text, pattern: "a" }, text, []],
  [
    "a rule",
    text,
    { ...text, maxLength: 9, "x-kubernetes-validations": [{ rule: "self != ''" }] },
    ["spec.a: maxLength added: 9", "spec.a: rule added: self != ''"],
  ],
])("GT38: a comparison lists what narrows %s", async (_, before, after, expected) => {
  expect(await changes(before, after)).toEqual(expected);
});

test("GT38: a field that became required is listed, unless it has a default", async () => {
  expect(await changes(text, text, ["a"])).toEqual(["spec.a: became required"]);
  expect(await changes(text, { ...text, default: "b" }, ["a"])).toEqual([]);
});

test("GT38: a removed default of a required field is listed, since creates without the field fail", async () => {
  const read = async (c: object, required: readonly string[]) => {
    const schema = { type: "object", properties: { c }, required };
    return (await readDefinitions([{ name: "a", text: definition({ schema }) }])).sources;
  };
  const withDefault = await read({ ...text, default: "a" }, ["c"]);
  expect(compareKinds(withDefault, await read(text, ["c"]))).toMatchObject([
    { path: "c", change: "required without a default" },
  ]);
  expect(compareKinds(withDefault, await read({ ...text, default: "b" }, ["c"]))).toEqual([]);
  expect(compareKinds(withDefault, await read(text, []))).toEqual([]);
  expect(compareKinds(await read(text, ["c"]), await read(text, ["c"]))).toEqual([]);
});

test("GT38: fields with a type narrow an object that kept unknown fields", async () => {
  const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  expect(await changes(free, { ...free, properties: { b: text } })).toEqual([
    "spec.a.b: field added where unknown fields were kept",
  ]);
  const anything = { "x-kubernetes-preserve-unknown-fields": true };
  expect(await changes(free, { ...free, properties: { b: anything } })).toEqual([]);
});

test("GT38: kinds, versions, scopes and subresources are compared", async () => {
  const read = async (text: string) => (await readDefinitions([{ name: "a", text }])).sources;
  const before = await read(definition({ more: { subresources: { status: {} } } }));
  expect(compareKinds(before, []).map(({ change }) => change)).toEqual(["removed"]);
  const after = await read(definition({ spec: { scope: "Cluster" } }));
  expect(compareKinds(before, after).map(({ change }) => change)).toEqual([
    "scope Cluster instead of Namespaced",
    "subresource status removed",
  ]);
  expect(compareKinds(before, await read(definition({ version: "v2" })))).toEqual([
    { apiVersion: "example.com/v1", kind: "Widget", path: "", change: "removed" },
  ]);
});
