import type { Client, KindOf, UnknownKind } from "typekube";
import type { ObjectMeta } from "typekube/api/meta/v1";
import { expectTypeOf, test } from "vitest";
import {
  Gadget,
  GadgetFacts,
  type GadgetSpec,
  type GadgetSpecSource,
} from "./generated/tricky.typekube.dev/v1.js";

declare const client: Client;

const spec: GadgetSpec = { color: "red", source: { image: "shop:1" }, "template-name": "a" };

test("GT21, GT31: required fields are required, metadata is the full ObjectMeta", () => {
  expectTypeOf<Gadget["spec"]>().toEqualTypeOf<GadgetSpec>();
  expectTypeOf<Gadget["metadata"]>().toEqualTypeOf<ObjectMeta | undefined>();
  // @ts-expect-error: spec is required
  const missing: Gadget = { metadata: { name: "a" } };
  expectTypeOf(missing).toEqualTypeOf<Gadget>();
});

test("GT32: facts are literals", () => {
  expectTypeOf(GadgetFacts.selectableFields).toEqualTypeOf<readonly ["spec.color"]>();
  expectTypeOf(GadgetFacts.listMapKeys["spec.rules"]).toEqualTypeOf<readonly ["name"]>();
});

test("GT22, GT25: nullable values and enumerations keep all of their values and no others", () => {
  expectTypeOf<GadgetSpec["note"]>().toEqualTypeOf<string | null | undefined>();
  expectTypeOf<GadgetSpec["color"]>().toEqualTypeOf<"" | "red" | "green-ish">();
  expectTypeOf<GadgetSpec["mode"]>().toEqualTypeOf<"on" | "off" | null | undefined>();
  expectTypeOf<GadgetSpec["level"]>().toEqualTypeOf<1 | 2 | 3 | undefined>();
  expectTypeOf<GadgetSpec["narrowed"]>().toEqualTypeOf<"a" | "b" | undefined>();
});

test("GT23, GT24: unknown fields are allowed where servers keep them, and nowhere else", () => {
  const { open, anything, pod } = spec;
  expectTypeOf(open?.known).toEqualTypeOf<string | undefined>();
  expectTypeOf(open?.["other"]).toEqualTypeOf<unknown>();
  expectTypeOf(anything).toEqualTypeOf<unknown>();
  expectTypeOf(pod).toEqualTypeOf<UnknownKind | undefined>();
  // @ts-expect-error: a server would drop the field
  const more: GadgetSpec = { ...spec, unknownField: 1 };
  // @ts-expect-error: a server would drop all fields
  const some: GadgetSpec = { ...spec, nothing: { a: 1 } };
  const none: GadgetSpec = { ...spec, nothing: {} };
  expectTypeOf([more, some, none]).toEqualTypeOf<GadgetSpec[]>();
});

test("GT26: numbers and text where a definition allows both", () => {
  expectTypeOf<GadgetSpec["port"]>().toEqualTypeOf<number | string | undefined>();
  expectTypeOf<GadgetSpec["memory"]>().toEqualTypeOf<number | string | undefined>();
});

test("GT27: names that are no identifiers are the names of the wire", () => {
  const odd = { ...spec, "3d": true, class: "a", 'quote"d': "b", "": "c" } satisfies GadgetSpec;
  expectTypeOf(odd["3d"]).toEqualTypeOf<true>();
  expectTypeOf<"named">().toExtend<GadgetSpec["constructor"]>();
  // @ts-expect-error: neither text nor what objects inherit
  const wrong: GadgetSpec = { ...spec, constructor: 1 };
  expectTypeOf(wrong).toEqualTypeOf<GadgetSpec>();
  expectTypeOf<GadgetSpec["__proto__"]>().toEqualTypeOf<string | undefined>();
});

test("GT29: variants demand one set of fields, and forbid two", () => {
  const both = { git: { url: "a" }, image: "b" };
  // @ts-expect-error: exactly one of git and image
  const two: GadgetSpecSource = both;
  // @ts-expect-error: exactly one of git and image
  const neither: GadgetSpecSource = { kind: "a" };
  const one: GadgetSpecSource = { git: { url: "a" } };
  expectTypeOf([two, neither, one]).toEqualTypeOf<GadgetSpecSource[]>();
  expectTypeOf(one.image).toEqualTypeOf<undefined>();
});

test("GT32, GT40: descriptors type clients and their subresources", async () => {
  const gadgets = client.resource(Gadget, "default");
  expectTypeOf((await gadgets.get("a")).spec.color).toEqualTypeOf<"" | "red" | "green-ish">();
  const scale = await gadgets.scale.get("a");
  expectTypeOf(scale.spec?.replicas).toEqualTypeOf<number | undefined>();
  await gadgets.create({ metadata: { name: "a" }, spec });
  // @ts-expect-error: not a color
  await gadgets.create({ metadata: { name: "a" }, spec: { ...spec, color: "blue" } });
});

test("GT40: objects that are named by apiVersion and kind have the generated type", async () => {
  type Named = KindOf<{ apiVersion: "tricky.typekube.dev/v1"; kind: "Gadget" }>;
  expectTypeOf<Named>().toEqualTypeOf<Gadget>();
  const named = client.resource(
    { apiVersion: "tricky.typekube.dev/v1", kind: "Gadget" },
    "default",
  );
  expectTypeOf((await named.get("a")).spec).toEqualTypeOf<GadgetSpec>();
});
