import { KubeError } from "@typekube/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { embedded } from "../src/index.js";
import { rule } from "../src/rules/index.js";
import { widget } from "./crd-of.js";

const spec = z.object({
  size: z.int().min(1),
  color: z.enum(["red", "blue"]).default("red"),
  parts: z.array(z.object({ name: z.string(), count: z.int32().default(1) })).optional(),
});
const status = z.object({ ready: z.boolean().optional() });
const resource = widget(spec, { status });
const metadata = { name: "a" };

describe("check and simulate", () => {
  it("ZS11: simulate fills defaults and drops unknown fields, below lists too", () => {
    const given = { metadata, spec: { size: 1, parts: [{ name: "p", extra: 1 }], colour: "red" } };
    expect(resource.simulate(given)).toEqual({
      object: {
        apiVersion: "example.com/v1",
        kind: "Widget",
        metadata,
        spec: { size: 1, color: "red", parts: [{ name: "p", count: 1 }] },
      },
      dropped: ["spec.colour", "spec.parts[0].extra"],
      causes: [],
      warnings: [],
    });
    expect(given.spec).toEqual({ size: 1, parts: [{ name: "p", extra: 1 }], colour: "red" });
  });

  it("ZS11: a write of the object ignores the status, a write of the status all else", () => {
    const old = { metadata, spec: { size: 1, color: "red" }, status: { ready: true } };
    expect(
      resource.simulate({ metadata, spec: { size: 1 }, status: { ready: true } }).object,
    ).not.toHaveProperty("status");
    expect(
      resource.simulate({ metadata, spec: { size: 2 }, status: {} }, { old }).object,
    ).toMatchObject({
      spec: { size: 2 },
      status: { ready: true },
    });
    const write = { metadata, spec: { size: 2 }, status: { ready: false } };
    expect(resource.simulate(write, { old, subresource: "status" }).object).toMatchObject({
      spec: { size: 1 },
      status: { ready: false },
    });
    expect(
      resource.check({ metadata, status: { ready: "yes" } }, { old, subresource: "status" }).causes,
    ).toMatchObject([{ field: "status.ready", reason: "FieldValueTypeInvalid" }]);
  });

  it("ZS12: an error in an unchanged part is tolerated; a rule that fails there is a warning", () => {
    const ruled = widget(
      z.object({ a: rule(z.object({ n: z.int() }), "self.n > 5"), b: z.int().min(3) }),
    );
    const old = { metadata, spec: { a: { n: 1 }, b: 1 } };
    expect(
      ruled.check({ metadata: { ...metadata, labels: { x: "y" } }, spec: old.spec }, { old })
        .causes,
    ).toEqual([]);
    expect(ruled.check({ metadata, spec: { a: { n: 2 }, b: 1 } }, { old }).causes).toMatchObject([
      { field: "spec.a" },
    ]);
    expect(ruled.check(old).causes.map(({ field }) => field)).toEqual(["spec.b", "spec.a"]);
  });

  it("kind, apiVersion and name are checked, and options by name", () => {
    expect(
      resource
        .check({ apiVersion: "v1", kind: "Pod", metadata, spec: { size: 1 } })
        .causes.map(({ field }) => field),
    ).toEqual(["kind", "apiVersion"]);
    expect(resource.check({ spec: { size: 1 } }).causes).toEqual([
      {
        field: "metadata.name",
        reason: "FieldValueRequired",
        message: "Required value: name or generateName is required",
      },
    ]);
    expect(() => resource.check("text")).toThrow(/needs an object of the kind Widget/);
    expect(() => resource.check({}, { before: {} } as never)).toThrow(/no option "before"/);
    expect(() => resource.check({}, { subresource: "foo" } as never)).toThrow(
      "[InvalidArgument] subresource: must be status: leave it out for a write of the object itself",
    );
  });

  it("ZS11: a field with the value undefined is absent, in lists null, as in JSON", () => {
    const lost = {
      metadata: { name: "a", labels: undefined },
      spec: { size: 1, color: undefined, parts: [{ name: "p", count: undefined }] },
      status: undefined,
    };
    const { causes, object } = resource.simulate(lost);
    expect([causes, object]).toEqual([
      [],
      resource.simulate(JSON.parse(JSON.stringify(lost))).object,
    ]);
    expect(resource.check(lost, { old: lost }).causes).toEqual([]);
    const optional = widget(z.object({ a: z.string().optional(), b: z.unknown() }));
    const absent = { metadata, spec: { a: undefined, b: { c: undefined } } };
    expect(optional.check(absent).causes).toEqual([]);
    expect(optional.simulate(absent).object).toStrictEqual({
      apiVersion: "example.com/v1",
      kind: "Widget",
      metadata,
      spec: { b: {} },
    });
    expect(
      optional.check({ apiVersion: undefined, kind: undefined, metadata, spec: {} }).causes,
    ).toEqual([]);
    expect(optional.parse(absent)).toStrictEqual(optional.simulate(absent).object);
    // Required, and an item of a list: what JSON makes of them is refused.
    expect(resource.check({ metadata, spec: { size: undefined } }).causes).toMatchObject([
      { field: "spec.size", reason: "FieldValueRequired" },
    ]);
    const list = widget(z.object({ a: z.array(z.string()) }));
    const withHole = { metadata, spec: { a: ["x", undefined] } };
    expect(list.check(withHole).causes).toMatchObject([{ field: "spec.a[1]" }]);
    expect(list.check(withHole).causes).toEqual(
      list.check({ metadata, spec: { a: ["x", null] } }).causes,
    );
    expect(withHole.spec.a).toEqual(["x", undefined]);
  });

  it("embedded objects need their kind", () => {
    const { check } = widget(z.object({ template: embedded() }));
    expect(check({ metadata, spec: { template: { kind: "Pod" } } }).causes).toEqual([
      {
        field: "spec.template.apiVersion",
        reason: "FieldValueRequired",
        message: "Required value",
      },
    ]);
  });
});

describe("parse", () => {
  it("ZD25: fills the defaults of an old object and keeps unknown fields", () => {
    const old = { metadata, spec: { size: 1, legacy: true, parts: [{ name: "p" }] } };
    expect(resource.parse(old)).toEqual({
      apiVersion: "example.com/v1",
      kind: "Widget",
      metadata,
      spec: { size: 1, legacy: true, color: "red", parts: [{ name: "p", count: 1 }] },
    });
    expect(old.spec).not.toHaveProperty("color");
  });

  it("rejects what does not fit, with causes", () => {
    const parse = () => resource.parse({ metadata, spec: { size: "big" } });
    expect(parse).toThrow(KubeError);
    try {
      parse();
    } catch (error) {
      expect(error).toMatchObject({
        code: "Invalid",
        httpStatus: 422,
        causes: [{ field: "spec.size" }],
      });
    }
    expect(() => resource.parse(null)).toThrow(/needs an object/);
    expect(() => resource.parse({ kind: "Pod", metadata, spec: { size: 1 } })).toThrow(
      /must be Widget/,
    );
  });
});

describe("example", () => {
  it("ZS13: is a small valid object", () => {
    const rich = widget(
      z.object({
        size: z.int().gt(2).multipleOf(5),
        text: z.string().min(3),
        when: z.iso.datetime(),
        list: z.array(z.boolean()).min(2),
        choice: z.discriminatedUnion("type", [
          z.object({ type: z.literal("b"), n: z.int().max(-3) }),
          z.object({ type: z.literal("a") }),
        ]),
        set: z.string().default("x"),
      }),
    );
    expect(rich.example()).toMatchObject({
      spec: {
        size: 5,
        text: "aaa",
        when: "2024-01-01T00:00:00Z",
        list: [false, false],
        choice: { type: "b", n: -3 },
      },
    });
    expect(rich.check(rich.example()).causes).toEqual([]);
    const pattern = widget(z.object({ code: z.string().regex(/^X[0-9]$/) }));
    expect(() => pattern.example()).toThrow(/no example of Widget was found: spec\.code: /);
    expect(
      widget(
        z.object({
          code: z
            .string()
            .regex(/^X[0-9]$/)
            .meta({ example: "X1" }),
        }),
      ).example(),
    ).toMatchObject({ spec: { code: "X1" } });
  });
});
