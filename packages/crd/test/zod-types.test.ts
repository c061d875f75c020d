import assert from "node:assert/strict";
import { Pod } from "@typekube/api/core/v1";
import { compileRe2 } from "@typekube/cel/re2";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";
import {
  atomic,
  embedded,
  goDuration,
  intOrString,
  listMap,
  listSet,
  preserveUnknown,
  quantity,
} from "../src/index.js";
import { toRe2 } from "../src/zod/to-re2.js";
import { refusalOf, schemaOf, specOf, widget } from "./crd-of.js";

const free = { "x-kubernetes-preserve-unknown-fields": true };
const int64 = { type: "integer", format: "int64" };

describe("scalars", () => {
  it.each([
    ["string", z.string().min(2).max(5), { type: "string", minLength: 2, maxLength: 5 }],
    ["length", z.string().length(3), { type: "string", minLength: 3, maxLength: 3 }],
    ["regex", z.string().regex(/^a\/b$/), { type: "string", pattern: "^a\\/b$" }],
    [
      "two regexes",
      z.string().regex(/a/).regex(/b/),
      { type: "string", pattern: "a", allOf: [{ pattern: "b" }] },
    ],
    ["startsWith", z.string().startsWith("a.b"), { type: "string", pattern: "^a\\.b.*" }],
    ["enum", z.enum(["a", "b"]), { type: "string", enum: ["a", "b"] }],
    ["numeric enum", z.enum({ A: 1, B: 2 }), { type: "integer", enum: [1, 2] }],
    ["literal", z.literal("a"), { type: "string", enum: ["a"] }],
    ["literals", z.literal([1, 2.5]), { type: "number", enum: [1, 2.5] }],
    ["boolean", z.boolean(), { type: "boolean" }],
    ["number", z.number(), { type: "number" }],
    ["positive", z.number().positive(), { type: "number", minimum: 0, exclusiveMinimum: true }],
    ["multipleOf", z.number().multipleOf(0.5), { type: "number", multipleOf: 0.5 }],
    ["nullable", z.string().nullable(), { type: "string", nullable: true }],
    ["nullish", z.int32().nullish(), { type: "integer", format: "int32", nullable: true }],
    ["description", z.string().describe("A text."), { description: "A text.", type: "string" }],
    ["default", z.string().default("a"), { type: "string", default: "a" }],
    [
      "prefault",
      z.object({ a: z.int() }).prefault({ a: 1 }),
      { type: "object", default: { a: 1 }, required: ["a"], properties: { a: int64 } },
    ],
    ["readonly", z.array(z.string()).readonly(), { type: "array", items: { type: "string" } }],
    [
      "template literal",
      z.templateLiteral(["v", z.int()]),
      { type: "string", pattern: "^v-?\\d+$" },
    ],
  ])("ZD11: %s", (_name, schema, expected) => {
    expect(schemaOf(schema)).toEqual(expected);
  });

  it.each([
    ["int", z.int(), int64],
    ["number().int()", z.number().int().max(9), { ...int64, maximum: 9 }],
    ["int32", z.int32(), { type: "integer", format: "int32" }],
    ["uint32", z.uint32(), { ...int64, minimum: 0, maximum: 4_294_967_295 }],
    [
      "uint32 with a bound",
      z
        .uint32()
        .min(5)
        .max(2 ** 40),
      { ...int64, minimum: 5, maximum: 4_294_967_295 },
    ],
    ["float64", z.float64(), { type: "number", format: "double" }],
    ["float32", z.float32(), { type: "number", format: "float" }],
    [
      "the tightest bound",
      z.int().min(1).min(3).gt(3).max(9).lt(12),
      { ...int64, minimum: 3, exclusiveMinimum: true, maximum: 9 },
    ],
  ])("ZD12: %s has no bounds of JavaScript", (_name, schema, expected) => {
    expect(schemaOf(schema)).toEqual(expected);
  });

  it("ZD13: bigint and int64 are integers of 64 bits", () => {
    expect(schemaOf(z.bigint())).toEqual(int64);
    expect(schemaOf(z.int64().min(5n).default(7n))).toEqual({ ...int64, default: 7, minimum: 5 });
    expect(schemaOf(z.bigint().max(2n ** 60n))).toEqual({ ...int64, maximum: 2n ** 60n });
    expect(refusalOf(z.uint64())).toContain("spec.x: z.uint64() has values that no server stores");
  });
});

describe("formats and patterns", () => {
  it.each([
    [z.iso.datetime(), "date-time"],
    [z.iso.date(), "date"],
    [z.email(), "email"],
    [z.url(), "uri"],
    [z.uuid(), "uuid"],
    [z.uuidv4(), "uuid4"],
    [z.guid(), "uuid"],
    [z.ipv4(), "ipv4"],
    [z.ipv6(), "ipv6"],
    [z.base64(), "byte"],
    [z.hostname(), "hostname"],
    [z.mac(), "mac"],
  ])("ZD21: a format that servers know stands alone %#", (schema, format) => {
    expect(schemaOf(schema)).toEqual({ type: "string", format });
  });

  it("ZD21: other formats keep their pattern, and ISO durations are refused", () => {
    expect(schemaOf(z.cidrv4())).toMatchObject({
      type: "string",
      pattern: expect.stringMatching(/^\^/),
    });
    expect(schemaOf(z.cidrv4())).not.toHaveProperty("format");
    expect(schemaOf(z.hex())).toEqual({ type: "string", pattern: "^[0-9a-fA-F]*$" });
    expect(schemaOf(z.email({ pattern: /^[a-z]+@example\.com$/ }))).toEqual({
      type: "string",
      pattern: "^[a-z]+@example\\.com$",
    });
    expect(refusalOf(z.iso.duration())).toContain("use goDuration()");
    expect(refusalOf(z.jwt())).toContain("the format jwt is unknown to servers and has no pattern");
    expect(widget(z.object({ x: z.iso.datetime({ precision: 3 }) })).clientOnly).toEqual([
      { path: "spec.x", what: "the option precision of the format datetime" },
    ]);
  });

  it("ZD23: flags become RE2's where it has them; other expressions are refused", () => {
    expect(schemaOf(z.string().regex(/^a$/i))).toEqual({ type: "string", pattern: "(?i)^a$" });
    expect(schemaOf(z.string().regex(/^a.b$/su))).toEqual({ type: "string", pattern: "(?s)^a.b$" });
    expect(schemaOf(z.string().regex(/\u00e4\\u0041/g))).toEqual({
      type: "string",
      pattern: "\\x{00e4}\\\\u0041",
    });
    expect(schemaOf(z.string().regex(/^\p{L}\u{1f600}$/u))).toEqual({
      type: "string",
      pattern: "^\\p{L}\\x{1f600}$",
    });
    expect(refusalOf(z.string().regex(/(?=a)/))).toContain(
      "spec.x: the pattern of regex() is not RE2",
    );
    expect(refusalOf(z.string().regex(/(a)\1/))).toContain("invalid escape sequence: `\\1`");
    expect(refusalOf(z.string().regex(/^a$/m))).toContain(
      "has the flag m, which servers do not have",
    );
    expect(refusalOf(z.string().regex(/ä/i))).toContain("without the flag u");
    expect(refusalOf(z.string().regex(/\p{Script=Greek}/u))).toContain("is not RE2");
  });
});

describe("patterns", () => {
  const characters = Array.from({ length: 0x3100 }, (_, code) => String.fromCharCode(code));
  const samples = [
    ...characters,
    "\u{feff}",
    "\u{fffd}",
    "\u{1f600}",
    "",
    "a.",
    "\r\n",
    "]a",
    "[:a",
  ];

  it.each([
    /^.$/u,
    /^.$/su,
    /^\s$/u,
    /^\S$/u,
    /^[\s]$/u,
    /^[^\s]$/u,
    /^[\S]$/u,
    /^[^\S]$/u,
    /^[\s\S]$/u,
    /^[^\s\S]$/u,
    /^[a\s-]$/u,
    /^[\S\n.]$/u,
    /^\w$/u,
    /^\W$/u,
    /^\d$/u,
    /^\D$/u,
    /^[[:a]+$/,
    /^\.$/u,
    /^\\.$/u,
    /^[.]$/u,
    /^\[.\]$/u,
    /^[\].]$/u,
    /^[^.]$/u,
    /^\u00a0$/u,
    /^[\u{1680}\s]$/u,
    // As texts, since linters refuse them.
    ...["^[^]$", "^[^]a$", "^a[]$"].map((source) => new RegExp(source, "u")),
  ])("ZD23: %s matches the same characters in RE2", (regex) => {
    const translated = toRe2(regex);
    const pattern = "pattern" in translated ? translated.pattern : assert.fail(translated.problem);
    const compiled = compileRe2(pattern);
    const matches = "problem" in compiled ? assert.fail(compiled.problem) : compiled;
    const differing = samples.filter((text) => matches.test(text) !== regex.test(text));
    expect(differing).toEqual([]);
  });

  const patternOf = (regex: RegExp) =>
    (schemaOf(z.string().regex(regex)) as { readonly pattern?: string }).pattern;

  it("ZD23: the pattern in the definition is the rewritten one, and plain patterns stay", () => {
    expect(patternOf(/^.$/)).toBe("^[^\\n\\r\\x{2028}\\x{2029}]$");
    expect(schemaOf(z.string().startsWith("a"))).toEqual({ type: "string", pattern: "^a.*" });
    for (const plain of [/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, /^\w+\/\d{1,3}$/, /^[\s\S]*$/]) {
      expect(patternOf(plain)).toBe(plain.source);
    }
  });
});

describe("objects and lists", () => {
  it("ZD15: any, unknown and json keep what they get and are optional", () => {
    const spec = z.object({ a: z.any(), b: z.unknown(), c: z.json(), d: preserveUnknown() });
    expect(specOf(widget(spec))).toEqual({
      type: "object",
      properties: { a: free, b: free, c: free, d: free },
    });
  });

  it("ZD16: loose objects preserve unknown fields; strict ones are like others", () => {
    expect(schemaOf(z.looseObject({ a: z.string() }))).toEqual({
      type: "object",
      required: ["a"],
      properties: { a: { type: "string" } },
      ...free,
    });
    expect(schemaOf(z.strictObject({ a: z.string() }))).toEqual(
      schemaOf(z.object({ a: z.string() })),
    );
    expect(schemaOf(z.object({}).catchall(z.string()))).toEqual({
      type: "object",
      additionalProperties: { type: "string" },
    });
    expect(refusalOf(z.object({ a: z.int() }).catchall(z.string()))).toContain(
      "catchall() beside properties",
    );
  });

  it("ZD17: records have values of one schema; keys of an enum become properties", () => {
    expect(schemaOf(z.record(z.string(), z.int32()))).toEqual({
      type: "object",
      additionalProperties: { type: "integer", format: "int32" },
    });
    expect(schemaOf(z.record(z.enum(["a", "b"]), z.boolean()))).toEqual({
      type: "object",
      required: ["a", "b"],
      properties: { a: { type: "boolean" }, b: { type: "boolean" } },
    });
    expect(schemaOf(z.partialRecord(z.enum(["a"]), z.boolean()))).toEqual({
      type: "object",
      properties: { a: { type: "boolean" } },
    });
    expect(refusalOf(z.record(z.string().regex(/a/), z.int()))).toContain(
      "a server does not check keys",
    );
  });

  it("ZD19: tuples of one type are lists of a fixed length", () => {
    expect(schemaOf(z.tuple([z.int32(), z.int32()]))).toEqual({
      type: "array",
      items: { type: "integer", format: "int32" },
      minItems: 2,
      maxItems: 2,
    });
    expect(schemaOf(z.tuple([z.string()], z.string()))).toEqual({
      type: "array",
      items: { type: "string" },
      minItems: 1,
    });
    expect(refusalOf(z.tuple([z.string(), z.int()]))).toContain("z.tuple() of several types");
  });

  it.each([
    [z.map(z.string(), z.int()), "z.map()", "use z.record()"],
    [z.set(z.string()), "z.set()", "use listSet()"],
    [z.date(), "z.date()", "use z.iso.datetime()"],
    [z.promise(z.string()), "z.promise()", "use the type inside"],
    [z.instanceof(URL), "z.custom() or z.instanceof()", "z.object()"],
    [z.custom<string>(), "z.custom() or z.instanceof()", "z.object()"],
    [z.never(), "z.never()", "leave the field out"],
    [z.nan(), "z.nan()", "JSON has no NaN"],
    [z.null(), "z.null()", "use nullable()"],
    [z.symbol(), "z.symbol()", "use a string"],
    [z.transform((value) => value), "z.transform()", "use pipe()"],
    [z.file(), "z.file()", "a type that JSON has"],
  ])(
    "ZD19, ZD22: a type without a form in definitions is refused with a way out %#",
    (schema, type, way) => {
      const message = refusalOf(schema);
      expect(message).toMatch(/^spec\.x: /);
      expect(message).toContain(type);
      expect(message).toContain(way);
    },
  );

  it("ZD20: recursion is refused, or cut where asked for", () => {
    const tree = z.object({
      name: z.string(),
      get children() {
        return z.array(tree).optional();
      },
    });
    expect(refusalOf(tree)).toContain("spec.x.children[]: the schema contains itself");
    const cut = schemaOf(tree, { recursive: "preserve", recursionDepth: 1 });
    expect(cut).toEqual({
      type: "object",
      required: ["name"],
      properties: {
        name: { type: "string" },
        children: {
          type: "array",
          items: {
            type: "object",
            required: ["name"],
            properties: { name: { type: "string" }, children: { type: "array", items: free } },
          },
        },
      },
    });
    // One schema in two places does not recur.
    const shared = z.object({ a: z.string() });
    expect(() => widget(z.object({ a: shared, b: shared }))).not.toThrow();
  });
});

describe("unions", () => {
  it("ZD14: an integer or a string", () => {
    const plain = { "x-kubernetes-int-or-string": true };
    expect(schemaOf(z.union([z.int(), z.string()]))).toEqual(plain);
    expect(schemaOf(z.union([z.string(), z.int32().min(1)]))).toEqual({ minimum: 1, ...plain });
    expect(schemaOf(intOrString({ pattern: /^[0-9]+%$/ }))).toEqual({
      pattern: "^[0-9]+%$",
      ...plain,
    });
    expect(schemaOf(quantity())).toMatchObject({
      pattern: expect.stringContaining("KMGTPE"),
      ...plain,
    });
  });

  it("ZD11: unions with null or undefined, and of values", () => {
    expect(schemaOf(z.union([z.string(), z.null()]))).toEqual({ type: "string", nullable: true });
    expect(specOf(widget(z.object({ x: z.union([z.string(), z.undefined()]) })))).toEqual({
      type: "object",
      properties: { x: { type: "string" } },
    });
    expect(schemaOf(z.union([z.literal("a"), z.enum(["b", "a"])]))).toEqual({
      type: "string",
      enum: ["a", "b"],
    });
    expect(refusalOf(z.literal(["a", 1]))).toContain("values of several types: string, integer");
  });

  it("ZD18: a discriminated union has all properties, and says in oneOf which belong together", () => {
    const union = z.discriminatedUnion("type", [
      z.object({ type: z.literal("http"), port: z.int32(), path: z.string().optional() }),
      z.object({ type: z.enum(["tcp", "udp"]), port: z.int32() }),
    ]);
    expect(schemaOf(union)).toEqual({
      type: "object",
      required: ["type", "port"],
      properties: {
        type: { type: "string", enum: ["http", "tcp", "udp"] },
        port: { type: "integer", format: "int32" },
        path: { type: "string" },
      },
      oneOf: [
        { properties: { type: { enum: ["http"] } }, required: ["type", "port"] },
        { properties: { type: { enum: ["tcp", "udp"] } }, required: ["type", "port"] },
      ],
    });
  });

  it("ZD18: branches with two schemas of a field, and defaults of one branch, are refused with both paths", () => {
    const conflict = z.discriminatedUnion("type", [
      z.object({ type: z.literal("a"), value: z.int() }),
      z.object({ type: z.literal("b"), value: z.string() }),
    ]);
    expect(refusalOf(conflict)).toContain("spec.x(0).value and spec.x(1).value");
    const defaults = z.discriminatedUnion("type", [
      z.object({ type: z.literal("a"), value: z.int().default(1) }),
      z.object({ type: z.literal("b") }),
    ]);
    expect(refusalOf(defaults)).toContain("spec.x(0).value: a default in one branch");
  });

  it("ZD19: other unions and conflicting intersections are refused", () => {
    expect(refusalOf(z.union([z.string(), z.boolean()]))).toContain("z.union() of string, boolean");
    expect(refusalOf(z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]))).toContain(
      "oneOfRequired()",
    );
    expect(
      refusalOf(z.intersection(z.object({ a: z.int() }), z.object({ a: z.string() }))),
    ).toContain("spec.x.a: z.intersection() with two schemas for one field");
    expect(
      schemaOf(z.intersection(z.object({ a: z.boolean() }), z.object({ b: z.boolean() }))),
    ).toEqual({
      type: "object",
      required: ["a", "b"],
      properties: { a: { type: "boolean" }, b: { type: "boolean" } },
    });
    expect(schemaOf(z.intersection(z.string().min(1), z.string().max(3)))).toEqual({
      type: "string",
      minLength: 1,
      allOf: [{ maxLength: 3 }],
    });
  });
});

describe("checks and changes in the program", () => {
  it("ZD22: refinements, transforms, pipes and catch are listed with their paths", () => {
    const spec = z.object({
      a: z.string().refine((text) => text !== "x"),
      b: z.string().transform((text) => text.length),
      c: z.preprocess((value) => value, z.int32()),
      d: z.string().catch("fallback"),
      e: z.coerce.number(),
      f: z.string().trim(),
      g: z.boolean().refine(Boolean),
      list: z.array(
        z.object({
          h: z.codec(z.iso.datetime(), z.date(), {
            decode: (text) => new Date(text),
            encode: (date) => date.toISOString(),
          }),
        }),
      ),
    });
    const { clientOnly } = widget(spec);
    expect(clientOnly.map(({ path, what }) => `${path}: ${what.split(/[ (;]/)[0]}`)).toEqual([
      "spec.a: refine",
      "spec.b: transform",
      "spec.c: preprocess",
      "spec.d: catch",
      "spec.e: z.coerce",
      "spec.f: trim",
      "spec.g: refine",
      "spec.list[].h: transform",
    ]);
    expect(specOf(widget(spec))).toEqual({
      type: "object",
      required: ["a", "b", "c", "e", "f", "g", "list"],
      properties: {
        a: { type: "string" },
        b: { type: "string" },
        c: { type: "integer", format: "int32" },
        d: { type: "string" },
        e: { type: "number" },
        f: { type: "string" },
        g: { type: "boolean" },
        list: {
          type: "array",
          items: {
            type: "object",
            required: ["h"],
            properties: { h: { type: "string", format: "date-time" } },
          },
        },
      },
    });
  });

  it("ZD24: wrong defaults are refused as a server does", () => {
    expect(refusalOf(z.string().min(3).default("a"))).toContain("spec.x.default: ");
    expect(refusalOf(z.object({ a: z.int().optional() }).default({ b: 1 } as never))).toContain(
      "must not have unknown fields",
    );
    expect(refusalOf(z.string().default(3 as never))).toContain("must be of type string");
    expect(refusalOf(z.string().nullable().default(null))).toContain("default() with null");
    let calls = 0;
    expect(refusalOf(z.int().default(() => calls++))).toContain("another value each time");
    expect(refusalOf(z.any().default(new Date()))).toContain("a value that is not JSON");
  });
});

describe("metadata of schemas", () => {
  it("ZD26: list types, atomic parts, embedded objects and x-kubernetes keywords", () => {
    expect(schemaOf(listMap(["name"], z.object({ name: z.string() })))).toEqual({
      type: "array",
      items: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
      "x-kubernetes-list-map-keys": ["name"],
      "x-kubernetes-list-type": "map",
    });
    expect(schemaOf(listSet(z.string()).max(3))).toEqual({
      type: "array",
      items: { type: "string" },
      maxItems: 3,
      "x-kubernetes-list-type": "set",
    });
    expect(schemaOf(atomic(z.record(z.string(), z.string())).optional())).toMatchObject({
      "x-kubernetes-map-type": "atomic",
    });
    expect(schemaOf(atomic(z.array(z.string())))).toMatchObject({
      "x-kubernetes-list-type": "atomic",
    });
    expect(schemaOf(embedded(Pod))).toEqual({
      description: "A Pod of v1.",
      type: "object",
      "x-kubernetes-embedded-resource": true,
      ...free,
    });
    expect(schemaOf(z.array(z.string()).meta({ "x-kubernetes-list-type": "set" }))).toEqual(
      schemaOf(listSet(z.string())),
    );
    expect(refusalOf(listMap(["name"], z.object({ name: z.string().optional() })))).toContain(
      "must have a default or be a required property",
    );
    expect(refusalOf(listSet(z.string().nullable()))).toContain("cannot be nullable");
    expect(refusalOf(listSet(z.object({ a: z.int() })))).toContain("must be atomic");
  });

  it("ZD27: validation keywords of meta() are kept; uniqueItems is refused as by servers", () => {
    expect(
      schemaOf(
        z.record(z.string(), z.int32()).meta({
          title: "T",
          examples: [{ a: 1 }],
          minProperties: 1,
          deprecated: true,
          readOnly: true,
          id: "X",
        }),
      ),
    ).toEqual({
      description: "Deprecated. Read-only.",
      title: "T",
      type: "object",
      minProperties: 1,
      additionalProperties: { type: "integer", format: "int32" },
      example: { a: 1 },
    });
    expect(schemaOf(z.array(z.int32()).min(1).max(2))).toMatchObject({ minItems: 1, maxItems: 2 });
    expect(refusalOf(z.array(z.string()).meta({ uniqueItems: true }))).toContain(
      "uniqueItems cannot be set to true",
    );
  });

  it("ZD30: descriptions can be shortened or left out", () => {
    const described = z.string().describe("First. Second.");
    expect(schemaOf(described, { descriptions: "short" })).toEqual({
      description: "First.",
      type: "string",
    });
    expect(schemaOf(described, { descriptions: "none" })).toEqual({ type: "string" });
    const long = widget(z.object({ x: z.string().describe("a".repeat(300_000)) }));
    expect(long.warnings).toEqual([
      expect.stringContaining("too many for the annotation of kubectl apply"),
    ]);
  });

  it("ZD26, ZD28: later methods keep keywords, and any name can be a field", () => {
    const tags = listSet(z.string()).min(1).describe("Tags.").optional();
    expect(schemaOf(tags)).toEqual({
      description: "Tags.",
      type: "array",
      minItems: 1,
      items: { type: "string" },
      "x-kubernetes-list-type": "set",
    });
    const shape = JSON.parse('{"__proto__":1,"constructor":1,"a.b":1}') as object;
    const fields = Object.keys(shape).map((name) => [name, z.string()] as const);
    const names = widget(z.object(Object.fromEntries(fields)));
    expect(specOf(names)["required"]).toEqual(["__proto__", "constructor", "a.b"]);
    const { causes } = names.check({ metadata: { name: "a" }, spec: {} });
    expect(causes.map(({ field }) => field)).toEqual([
      "spec.__proto__",
      "spec.constructor",
      "spec.a.b",
    ]);
  });

  it("goDuration() has the form of Go and the type of a duration in rules", () => {
    expect(schemaOf(goDuration())).toMatchObject({ type: "string", format: "duration" });
    const { check } = widget(z.object({ x: goDuration() }));
    const causesOf = (x: string) => check({ metadata: { name: "a" }, spec: { x } }).causes.length;
    expect(["1h30m", "250ms", "1.5s", "0"].map(causesOf)).toEqual([0, 0, 0, 0]);
    expect(["P1D", "3 days", "1", ""].every((text) => causesOf(text) > 0)).toBe(true);
  });

  it("ZD31: zod/mini works; other libraries are refused by name", () => {
    expect(schemaOf(mini.optional(mini.string().check(mini.minLength(2))) as never)).toEqual({
      type: "string",
      minLength: 2,
    });
    expect(schemaOf(listSet(mini.string()))).toMatchObject({ "x-kubernetes-list-type": "set" });
    const zod3 = { _def: { typeName: "ZodObject" }, parse() {} };
    const other = { "~standard": { vendor: "valibot", version: 1 } };
    expect(() => widget(zod3 as never)).toThrow(/spec: is a schema of zod 3/);
    expect(() => widget(other as never)).toThrow(/spec: is a schema of valibot, not of zod/);
    expect(() => widget({ size: 1 } as never)).toThrow(/spec: must be a zod schema/);
  });

  it("ZD32: several problems are listed at once, with paths", () => {
    const spec = z.object({
      rules: z.array(z.object({ port: z.date() })),
      by: z.record(z.string(), z.set(z.string())),
    });
    expect(() => widget(spec)).toThrow(
      /- spec\.rules\[\]\.port: z\.date\(\) .*\n- spec\.by\[\*\]: z\.set\(\)/,
    );
  });
});
