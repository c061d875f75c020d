import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type CustomResource, defineResource } from "../src/index.js";
import { atMostOne, immutable, oneOfRequired, requiredWhen, rule } from "../src/rules/index.js";
import { refusal, refusalOf, schemaOf, specOf, widget } from "./crd-of.js";

const names = { group: "example.com", version: "v1", kind: "Widget" } as const;
const spec = z.object({ size: z.int(), color: z.string(), replicas: z.int32().optional() });
const define = (more: object) =>
  defineResource({ ...names, spec, ...more } as never) as CustomResource;

describe("names", () => {
  it("ZD2: defaults are the server's", () => {
    const resource = defineResource({ ...names, spec, status: z.object({}) });
    expect(resource.crd()).toMatchObject({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "widgets.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { kind: "Widget", listKind: "WidgetList", plural: "widgets", singular: "widget" },
        versions: [{ name: "v1", served: true, storage: true, subresources: { status: {} } }],
      },
    });
    expect(resource).toMatchObject({
      plural: "widgets",
      apiVersion: "example.com/v1",
      scope: "Namespaced",
    });
    expect(resource.subresources).toEqual({
      status: { apiVersion: "example.com/v1", kind: "Widget", verbs: ["get", "patch", "update"] },
    });
    expect(defineResource({ ...names, spec }).subresources).toEqual({});
  });

  it("ZD3: plurals follow English; where it is open, plural is required", () => {
    const plural = (kind: string) => define({ kind }).plural;
    expect(["Policy", "Bus", "Index", "Fish", "Data"].map(plural)).toEqual([
      "policies",
      "buses",
      "indexes",
      "fish",
      "data",
    ]);
    expect(refusal(() => define({ kind: "Leaf" }))).toContain(
      "plural: the plural of the kind Leaf is not known",
    );
    expect(define({ kind: "Chassis", plural: "chassis" }).crd().metadata?.name).toBe(
      "chassis.example.com",
    );
  });

  it.each([
    [{ group: "Example.com" }, "spec.group: "],
    [{ group: "example" }, "should be a domain with at least one dot"],
    [{ kind: "My_Kind" }, "spec.names.kind: "],
    [{ plural: "my_widgets" }, "spec.names.plural: "],
    [{ listKind: "Widget" }, "kind and listKind may not be the same"],
    [{ shortNames: ["W"] }, "spec.names.shortNames[0]: "],
    [{ categories: ["all things"] }, "spec.names.categories[0]: "],
    [{ version: "V1" }, "spec.versions[0].name: "],
  ])("ZD4: refuses %j with the server's rule", (more, message) => {
    expect(refusal(() => define(more))).toContain(message);
  });

  it("ZD5: groups of the Kubernetes project need an approval", () => {
    const group = "widgets.k8s.io";
    expect(refusal(() => define({ group }))).toContain(
      "protected groups must have approval annotation",
    );
    const annotations = { "api-approved.kubernetes.io": "unapproved, for a test" };
    expect(define({ group, annotations }).crd().metadata?.annotations).toEqual(annotations);
  });

  it("rejects unknown options and values by name", () => {
    expect(() => define({ shortName: ["w"] })).toThrow(/no option "shortName"/);
    expect(() => define({ scope: "namespaced" })).toThrow(/scope/);
    expect(() => define({ versions: [{ name: "v2", stored: true }] })).toThrow(
      /no option "stored"/,
    );
    expect(() => define({ scale: { replicas: ".spec.replicas" } })).toThrow(/no option "replicas"/);
  });
});

describe("manifests", () => {
  it("ZD8: equal definitions give equal bytes, and copies are independent", () => {
    const one = define({ status: z.object({ ready: z.boolean() }) });
    const other = define({ status: z.object({ ready: z.boolean() }) });
    expect(JSON.stringify(one.crd())).toBe(JSON.stringify(other.crd()));
    const copy = one.crd();
    copy.spec.names.plural = "others";
    expect(one.crd().spec.names.plural).toBe("widgets");
  });

  it("ZD8: keywords have a fixed order", () => {
    const schema = schemaOf(z.int().max(5).min(1).describe("A size.").default(2));
    expect(Object.keys(schema as object)).toEqual([
      "description",
      "type",
      "format",
      "default",
      "minimum",
      "maximum",
    ]);
  });

  it("a raw schema is taken as it is, with its status subresource", () => {
    const schema = {
      type: "object",
      properties: { spec: { type: "object" }, status: { type: "object" } },
    };
    const raw = define({ spec: undefined, schema });
    expect(raw.crd().spec.versions[0]).toMatchObject({
      schema: { openAPIV3Schema: schema },
      subresources: { status: {} },
    });
    expect(refusal(() => define({ schema }))).toContain("without spec and status beside it");
    expect(refusal(() => define({ spec: undefined, schema: { type: "array" } }))).toContain(
      "schema.type: ",
    );
  });
});

describe("rules", () => {
  it("ZS1: rules are part of the schema, at the root and below", () => {
    const range = rule(z.object({ min: z.int(), max: z.int() }), "self.min <= self.max", {
      message: "min is greater than max",
      fieldPath: ".min",
      reason: "FieldValueForbidden",
    });
    const resource = widget(range, { cel: [rule("self.metadata.name.size() < 20")] });
    expect(specOf(resource)["x-kubernetes-validations"]).toEqual([
      {
        rule: "self.min <= self.max",
        message: "min is greater than max",
        fieldPath: ".min",
        reason: "FieldValueForbidden",
      },
    ]);
    expect(resource.check({ metadata: { name: "a" }, spec: { min: 3, max: 1 } }).causes).toEqual([
      {
        field: "spec.min",
        reason: "FieldValueForbidden",
        message: "Forbidden: min is greater than max",
      },
    ]);
    expect(
      resource.check({ metadata: { name: "a".repeat(20) }, spec: { min: 1, max: 1 } }).causes,
    ).toHaveLength(1);
  });

  it("ZS1: rules are compiled when the kind is defined", () => {
    expect(refusalOf(rule(z.int(), "self.size() > 1"))).toContain(
      "found no matching overload for 'size'",
    );
    expect(refusalOf(rule(z.int(), "self >"))).toContain(
      "spec.x.x-kubernetes-validations[0].rule: ",
    );
    expect(() => rule(z.int(), "true", { mesage: "x" } as never)).toThrow(/no option "mesage"/);
    expect(() => rule(z.int(), {} as never)).toThrow(/needs an expression after the schema/);
  });

  it("ZS1: rules of a schema and of the wrapper around it both hold", () => {
    const schema = rule(rule(z.int(), "self > 1").optional(), "self < 9");
    expect(schemaOf(schema)).toMatchObject({
      "x-kubernetes-validations": [{ rule: "self > 1" }, { rule: "self < 9" }],
    });
  });

  it("ZS2: a rule that costs too much names the bound that fits", () => {
    const items = rule(z.array(z.string()), "self.all(one, self.exists(other, other != one))");
    const message = refusalOf(items);
    expect(message).toContain("estimated rule cost exceeds budget");
    expect(message).toMatch(/maxItems <= \d+/);
  });

  it("ZS3: helpers for common rules", () => {
    const choice = oneOfRequired(
      z.object({ a: z.int().optional(), b: z.int().optional() }),
      "a",
      "b",
    );
    const optional = atMostOne(
      z.object({ a: z.int().optional(), b: z.int().optional() }),
      "a",
      "b",
    );
    const custom = requiredWhen(
      z.object({ type: z.string(), image: z.string().optional() }),
      "image",
      "self.type == 'Custom'",
    );
    const resource = widget(z.object({ choice, optional, custom, name: immutable(z.string()) }));
    const valid = { choice: { a: 1 }, optional: {}, custom: { type: "Plain" }, name: "n" };
    const causesOf = (more: object, old?: object) =>
      resource
        .check({ metadata: { name: "a" }, spec: { ...valid, ...more } }, old && { old })
        .causes.map(({ field, reason, message }) => `${field} ${reason} ${message}`);
    expect(causesOf({})).toEqual([]);
    expect(causesOf({ choice: {} })).toEqual([
      "spec.choice FieldValueInvalid Invalid value: exactly one of a, b must be set",
    ]);
    expect(causesOf({ choice: { a: 1, b: 2 }, optional: { a: 1, b: 2 } })).toHaveLength(2);
    expect(causesOf({ custom: { type: "Custom" } })).toEqual([
      "spec.custom.image FieldValueRequired Required value: image is required when self.type == 'Custom'",
    ]);
    const old = { metadata: { name: "a" }, spec: valid };
    expect(causesOf({ name: "m" }, old)).toEqual([
      'spec.name FieldValueInvalid Invalid value: "m": field is immutable',
    ]);
  });
});

describe("parts of versions", () => {
  it("ZS4: columns are checked against the schema", () => {
    const column =
      (jsonPath: string, more = {}) =>
      () =>
        define({ columns: [{ name: "C", type: "string", jsonPath, ...more }] });
    expect(column(".spec.color")().crd().spec.versions[0]?.additionalPrinterColumns).toEqual([
      { name: "C", type: "string", jsonPath: ".spec.color" },
    ]);
    expect(column(".metadata.creationTimestamp", { type: "date", priority: 1 })).not.toThrow();
    expect(refusal(column(".spec.colour"))).toContain(
      'columns "C": the schema has no field at .spec.colour',
    );
    expect(refusal(column("spec.color"))).toContain("must be a simple json path starting with .");
    expect(refusal(column(".spec.color", { type: "text" }))).toContain(
      "must be one of boolean,date,integer,number,string",
    );
  });

  it("ZS5: selectable fields are scalars, at most 8, and not repeated", () => {
    const selecting =
      (...selectable: string[]) =>
      () =>
        define({ selectable });
    expect(
      selecting(".spec.color", ".spec.size")().crd().spec.versions[0]?.selectableFields,
    ).toEqual([{ jsonPath: ".spec.color" }, { jsonPath: ".spec.size" }]);
    expect(refusal(selecting(".spec.none"))).toContain("does not refer to a valid field");
    expect(refusal(selecting(".spec"))).toContain(
      "must point to a field of type string, boolean or integer",
    );
    expect(refusal(selecting(".spec.color", ".spec.color"))).toContain("Duplicate value");
  });

  it("ZS6: scale paths lead to fields below spec and status", () => {
    const status = z.object({ replicas: z.int32().optional(), selector: z.string().optional() });
    const scaled = define({ status, scale: { labelSelectorPath: ".status.selector" } });
    expect(scaled.crd().spec.versions[0]?.subresources?.scale).toEqual({
      specReplicasPath: ".spec.replicas",
      statusReplicasPath: ".status.replicas",
      labelSelectorPath: ".status.selector",
    });
    expect(scaled.subresources["scale"]).toMatchObject({ kind: "Scale" });
    expect(
      refusal(() => define({ status, scale: { specReplicasPath: ".status.replicas" } })),
    ).toContain("should be a json path under .spec");
    expect(refusal(() => define({ status, scale: { specReplicasPath: ".spec.count" } }))).toContain(
      "the schema has no field at .spec.count",
    );
  });

  it("ZS7: one of several versions is stored, and schemas that differ without conversion are warned about", () => {
    const v2 = { name: "v2", spec: z.object({ size: z.int() }) };
    const both = define({ versions: [{ ...v2, storage: true }] });
    expect(both.crd().spec.versions.map(({ name, storage }) => `${name} ${storage}`)).toEqual([
      "v1 false",
      "v2 true",
    ]);
    expect(both.warnings).toEqual([expect.stringContaining("v1 and v2 have different schemas")]);
    expect(
      refusal(() => define({ storage: true, versions: [{ ...v2, storage: true }] })),
    ).toContain("must have exactly one version marked as storage version");
    expect(refusal(() => define({ versions: [{ name: "v1", spec }] }))).toContain(
      "must contain unique version names",
    );
    expect(define({ deprecated: "use v2" }).crd().spec.versions[0]).toMatchObject({
      deprecated: true,
      deprecationWarning: "use v2",
    });
  });

  it("ZS8: conversion webhooks are checked", () => {
    expect(refusal(() => define({ conversion: { strategy: "Webhook" } }))).toContain(
      "spec.conversion.webhookClientConfig: Required value",
    );
  });

  it("ZS10, ZD28: required fields of statuses and names out of reach of rules are warned about", () => {
    const { warnings } = widget(z.object({ "a b": z.string(), "c-d": z.string() }), {
      status: z.object({ phase: z.string() }),
    });
    expect(warnings).toEqual([
      "spec.a b: rules in CEL cannot reach this name",
      expect.stringMatching(/^status: phase must be part of the first status/),
    ]);
  });
});
