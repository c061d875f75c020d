import {
  atomic,
  defineResource,
  embedded,
  goDuration,
  intOrString,
  listMap,
  listSet,
  quantity,
} from "typekube/crd";
import { oneOfRequired, rule } from "typekube/crd/rules";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { patternText } from "../src/examples/pattern-text.js";
import { seeded } from "../src/examples/random.js";

const names = { group: "example.com", version: "v1", kind: "Widget" } as const;

const Widget = defineResource({
  ...names,
  spec: oneOfRequired(
    z.object({
      size: z.int().min(1).max(10).multipleOf(2),
      ratio: z.number().gt(0).lt(1).optional(),
      color: z.enum(["red", "blue"]).default("red"),
      name: z.string().regex(/^[a-z]([-a-z0-9]{0,5}[a-z0-9])?$/),
      short: z.string().min(2).max(3).optional(),
      share: intOrString({ pattern: /^(100|[1-9]?[0-9])%$/ }).optional(),
      memory: quantity().optional(),
      timeout: goDuration().optional(),
      at: z.iso.datetime().optional(),
      day: z.iso.date().optional(),
      mail: z.email().optional(),
      id: z.uuid().optional(),
      address: z.ipv4().optional(),
      total: z.int64().optional(),
      note: z.string().nullable().optional(),
      ports: listMap(
        ["name", "protocol"],
        z.object({ name: z.string().max(1), protocol: z.enum(["TCP", "UDP"]).default("TCP") }),
      ).optional(),
      tags: listSet(z.enum(["a", "b", "c"])).optional(),
      labels: atomic(z.record(z.string(), z.string().max(2))).optional(),
      source: z
        .discriminatedUnion("type", [
          z.object({ type: z.literal("git"), url: z.url(), branch: z.string().optional() }),
          z.object({ type: z.literal("inline"), text: z.string() }),
        ])
        .optional(),
      template: embedded().optional(),
      free: z.json().optional(),
      loose: z.looseObject({ known: z.boolean().optional() }).optional(),
      range: rule(z.object({ min: z.int(), max: z.int() }), "self.min < self.max").optional(),
      one: z.string().optional(),
      two: z.string().optional(),
    }),
    "one",
    "two",
  ),
  status: z.object({ ready: z.boolean().optional(), phase: z.enum(["A", "B"]).optional() }),
  versions: [{ name: "v1beta1", spec: z.object({ width: z.int() }), storage: false }],
});

describe("examples of custom resources", () => {
  it("ZS13: all are valid and stored as they are, and each field is there and is not", () => {
    const examples = Widget.examples({ seed: 1, count: 300 });
    expect(examples).toHaveLength(300);
    const seen = new Map<string, number>();
    for (const example of examples) {
      const { object, causes, dropped } = Widget.simulate(example);
      expect({ causes, dropped, spec: object.spec }).toEqual({
        causes: [],
        dropped: [],
        spec: example.spec,
      });
      for (const field of Object.keys(example.spec)) {
        seen.set(field, (seen.get(field) ?? 0) + 1);
      }
    }
    const required = ["size", "name", "color"];
    const fields = Widget.crd().spec.versions[0]?.schema?.openAPIV3Schema?.properties?.["spec"];
    for (const field of Object.keys(fields?.properties ?? {})) {
      expect([field, seen.get(field)]).toEqual([field, expect.any(Number)]);
      expect([field, seen.get(field) === 300]).toEqual([field, required.includes(field)]);
    }
    expect(new Set(examples.map(({ spec }) => spec.color))).toEqual(new Set(["red", "blue"]));
    expect(new Set(examples.map(({ spec }) => spec.size))).toEqual(new Set([2, 4, 6, 8, 10]));
    expect(new Set(examples.map(({ status }) => status?.phase))).toEqual(
      new Set(["A", "B", undefined]),
    );
    expect(new Set(examples.map(({ spec }) => spec.source?.type))).toEqual(
      new Set(["git", "inline", undefined]),
    );
  });

  it("ZS13: a seed selects the objects", () => {
    const [one, again, other] = [1, 1, 2].map((seed) => Widget.examples({ seed, count: 20 }));
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    expect(Widget.examples()).toHaveLength(100);
    expect(Widget.examples({ count: 20 })).toEqual(one);
    expect(Widget.examples({ count: 5 })).toEqual(one?.slice(0, 5));
  });

  it("ZS13: other versions have objects of their own", () => {
    const examples = Widget.examples({ version: "v1beta1", count: 3 });
    expect(examples).toEqual(
      examples.map((one) => ({
        apiVersion: "example.com/v1beta1",
        kind: "Widget",
        metadata: one.metadata,
        spec: { width: expect.any(Number) },
      })),
    );
    expect(() => Widget.examples({ version: "v2" })).toThrow("it has v1, v1beta1");
  });

  it("ZS13: a rule that random objects do not meet is named, and an example helps", () => {
    const secret = rule(z.object({ code: z.string() }), "self.code == 'sesame'", {
      message: "wrong code",
    });
    const Closed = defineResource({ ...names, spec: secret });
    expect(() => Closed.examples()).toThrow(
      /none of 1000 random objects of Widget is valid; most often spec: .*wrong code.*example/,
    );
    const shape = { code: z.string().meta({ example: "sesame" }) };
    const Open = defineResource({
      ...names,
      spec: rule(z.object(shape), "self.code == 'sesame'"),
    });
    expect(Open.examples({ count: 1 })[0]?.spec).toEqual({ code: "sesame" });
  });

  it("ZS13: wrong options are refused", () => {
    for (const options of [{ seed: 1.5 }, { count: -1 }, { sed: 1 }]) {
      expect(() => Widget.examples(options as object)).toThrow(/InvalidArgument/);
    }
  });

  it.each([
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
    "^(a|b{2,3}|c{2}|d{1,})?$",
    "^[^a-y\\]]+\\.\\$\\x41\\x{42}[\\w-]\\d\\s\\S\\D\\W$",
    "^(?:(?P<name>x)(?<other>y)z)+?$",
    "^[]a]{3}[a-]{2}[+\\-.]$",
    "^(?s).\\n$",
    "^\\Aq\\z$",
  ])("ZS13: texts of the pattern %s match it", (pattern) => {
    const make = patternText(pattern);
    const random = seeded(3);
    // The syntax of JavaScript for the same texts.
    const expected = new RegExp(
      pattern
        .replace(/\(\?P?<\w+>/g, "(?:")
        .replace("(?s)", "")
        .replace("\\x{42}", "B")
        .replace("[]a]", "[\\]a]")
        .replace(/\\[Az]/g, ""),
      "s",
    );
    for (let at = 0; at < 200; at += 1) {
      expect(make?.(random)).toMatch(expected);
    }
  });

  it.each(["^\\p{L}$", "[[:alpha:]]", "(?i", "a)", "(?U)a", "["])(
    "ZS13: the pattern %s has no texts",
    (pattern) => {
      expect(patternText(pattern)).toBeUndefined();
    },
  );
});
