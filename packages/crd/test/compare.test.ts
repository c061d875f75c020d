import { describe, expect, it } from "vitest";
import * as z from "zod";
import { rule } from "../src/rules/index.js";
import { widget } from "./crd-of.js";

const live = widget(z.object({ x: z.string() }));

/** Returns the comparison of two schemas of the field x: the result, then the changes. */
function compared(from: z.ZodType, to: z.ZodType): string[] {
  const { result, changes } = widget(z.object({ x: to })).compare(
    widget(z.object({ x: from })).crd(),
  );
  return [result, ...changes.map(({ path, change }) => `${path}: ${change}`)];
}

describe("compare", () => {
  it("ZD9: equal definitions do not differ, also with a server's defaults and status", () => {
    const crd = live.crd();
    expect(live.compare(crd)).toEqual({ result: "none", changes: [] });
    const served = {
      ...crd,
      spec: { ...crd.spec, conversion: { strategy: "None" } },
      status: { storedVersions: ["v1"] },
    };
    expect(live.compare(served as never)).toEqual({ result: "none", changes: [] });
  });

  it.each([
    ["type", z.string(), z.int(), 'v1: spec.x: type changed from "string" to "integer"'],
    ["enum shrunk", z.enum(["a", "b"]), z.enum(["a"]), 'v1: spec.x: enum lost ["b"]'],
    ["enum added", z.string(), z.enum(["a"]), "v1: spec.x: enum added"],
    ["required added", z.string().optional(), z.string(), "v1: spec.x: became required"],
    ["maximum lowered", z.int().max(9), z.int().max(5), "v1: spec.x: maximum changed from 9 to 5"],
    ["minimum added", z.int(), z.int().min(1), "v1: spec.x: minimum added: 1"],
    ["exclusive", z.number().min(1), z.number().gt(1), "v1: spec.x: minimum changed from 1 to 1"],
    [
      "length lowered",
      z.string().max(9),
      z.string().max(5),
      "v1: spec.x: maxLength changed from 9 to 5",
    ],
    ["pattern added", z.string(), z.string().regex(/a/), 'v1: spec.x: pattern added: "a"'],
    ["nullable removed", z.string().nullable(), z.string(), "v1: spec.x: nullable removed"],
    [
      "free object closed",
      z.looseObject({}),
      z.object({}),
      "v1: spec.x: x-kubernetes-preserve-unknown-fields removed",
    ],
    ["field removed", z.object({ a: z.string() }), z.object({}), "v1: spec.x.a: field removed"],
    ["items", z.array(z.int()), z.array(z.int().max(5)), "v1: spec.x[]: maximum added: 5"],
    [
      "values",
      z.record(z.string(), z.int()),
      z.record(z.string(), z.string()),
      'v1: spec.x[*]: type changed from "integer" to "string"',
    ],
    ["rule added", z.int(), rule(z.int(), "self > 1"), "v1: spec.x: rule added: self > 1"],
    [
      "list type",
      z.array(z.string()),
      z.array(z.string()).meta({ "x-kubernetes-list-type": "set" }),
      'v1: spec.x: x-kubernetes-list-type added: "set"',
    ],
    [
      "field typed below unknown fields",
      z.looseObject({}),
      z.looseObject({ a: z.string().optional() }),
      "v1: spec.x.a: field added where unknown fields were kept",
    ],
  ])("ZD9: %s is breaking", (_name, from, to, change) => {
    const [result, ...changes] = compared(from, to);
    expect(changes).toContain(change);
    expect(result).toBe("breaking");
  });

  it.each([
    ["optional", z.string(), z.string().optional()],
    ["required with a default", z.string().optional(), z.string().default("a")],
    ["enum extended", z.enum(["a"]), z.enum(["a", "b"])],
    ["maximum raised", z.int().max(5), z.int().max(9)],
    ["minimum removed", z.int().min(5), z.int()],
    ["nullable", z.string(), z.string().nullable()],
    ["field added", z.object({}), z.object({ a: z.string().optional() })],
    ["free field added below unknown fields", z.looseObject({}), z.looseObject({ a: z.unknown() })],
    ["description", z.string(), z.string().describe("A text.")],
    ["pattern removed", z.string().regex(/a/), z.string()],
    ["rule removed", rule(z.int(), "self > 1"), z.int()],
  ])("ZD9: %s is compatible", (_name, from, to) => {
    expect(compared(from, to)[0]).toBe("compatible");
    expect(compared(from, to).length).toBeGreaterThan(1);
  });

  it("ZD9: a required field that loses its default is breaking, one whose default changes is not", () => {
    const required = (c: object) => {
      const spec = { type: "object", required: ["c"], properties: { c } };
      return widget(undefined as never, { schema: { type: "object", properties: { spec } } });
    };
    const old = required({ type: "string", default: "a" }).crd();
    expect(required({ type: "string" }).compare(old)).toEqual({
      result: "breaking",
      changes: [
        { path: "v1: spec.c", change: "default changed", breaking: false },
        { path: "v1: spec.c", change: "required without a default", breaking: true },
      ],
    });
    expect(required({ type: "string", default: "b" }).compare(old).result).toBe("compatible");
    const none = required({ type: "string" });
    expect(none.compare(none.crd()).result).toBe("none");
  });

  it("ZD9: scope, versions and subresources", () => {
    const spec = z.object({ x: z.string() });
    const changesOf = (more: object, liveMore: object = {}) =>
      widget(spec, more).compare(widget(spec, liveMore).crd());
    expect(changesOf({ scope: "Cluster" })).toMatchObject({
      result: "breaking",
      changes: [{ path: "spec.scope" }],
    });
    expect(changesOf({ shortNames: ["w"] })).toMatchObject({ result: "compatible" });
    expect(changesOf({ versions: [{ name: "v2", spec }] })).toMatchObject({
      result: "compatible",
      changes: [{ path: "v2", change: "version added" }],
    });
    expect(changesOf({}, { versions: [{ name: "v2", spec }] })).toMatchObject({
      result: "breaking",
      changes: [{ path: "v2", change: "version removed" }],
    });
    expect(changesOf({}, { status: z.object({}) }).result).toBe("breaking");
  });
});
