import { goDuration, intOrString, listMap, listSet, preserveUnknown, quantity } from "typekube/crd";
import { rule } from "typekube/crd/rules";
import * as z from "zod";

type Random = () => number;

/** A random schema, and a generator of values that often fit it. */
export interface RandomSchema {
  readonly schema: z.ZodType;
  value(random: Random): unknown;
}

/** Levels of nested schemas. */
const maxDepth = 3;
/** Share of values that are replaced by others, most of which do not fit. */
const junkShare = 0.08;

const junk: readonly unknown[] = [
  null,
  "",
  "a",
  "100",
  "x".repeat(40),
  "2024-02-30",
  -1,
  0,
  7,
  1.5,
  1e12,
  true,
  false,
  [],
  ["a", "a"],
  [1, null],
  {},
  { a: 1 },
  { name: "n", value: 2 },
];

/** Returns one of several values. */
export function oneOf<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}

/** Returns a random schema of the kinds that a definition can express. */
export function randomSchema(random: Random, depth = 0): RandomSchema {
  const makers = depth < maxDepth ? [...scalars, ...compounds] : scalars;
  const made = withWrapper(random, oneOf(random, makers)(random, depth));
  return {
    schema: made.schema,
    value: (values) => (values() < junkShare ? oneOf(values, junk) : made.value(values)),
  };
}

type Maker = (random: Random, depth: number) => RandomSchema;

const int = (random: Random, least: number, most: number) =>
  least + Math.floor(random() * (most - least + 1));

const scalars: readonly Maker[] = [
  (random) => {
    const [min, max] = [int(random, 0, 3), int(random, 3, 9)];
    return {
      schema: z.string().min(min).max(max),
      value: (values) => "b".repeat(int(values, min, max)),
    };
  },
  (random) => {
    const [pattern, text] = oneOf(random, [
      [/^[a-z]+$/, "abc"],
      [/^v\d+(\.\d+)?$/i, "V1.2"],
      [/b/, "abc"],
    ] as const);
    return { schema: z.string().regex(pattern), value: () => text };
  },
  (random) => {
    const [schema, text] = oneOf(random, [
      [z.iso.datetime(), "2024-02-29T10:00:00Z"],
      [z.iso.date(), "2024-02-29"],
      [z.ipv4(), "10.0.0.1"],
      [z.ipv6(), "2001:db8::1"],
      [z.uuid(), "0e2b6ff4-8f3a-4c45-9df5-7f4a3a0b6c11"],
      [z.base64(), "YWJj"],
      [goDuration(), "1h30m"],
      [z.hostname(), "example.com"],
    ] as readonly (readonly [z.ZodType, string])[]);
    return { schema, value: () => text };
  },
  (random) => {
    const [min, max] = [int(random, -5, 2), int(random, 3, 20)];
    const base = oneOf(random, [z.int(), z.int32(), z.number().int()] as const);
    const schema = random() < 0.5 ? base.min(min).max(max) : base.gt(min).lt(max);
    return { schema, value: (values) => int(values, min, max) };
  },
  (random) => {
    const step = oneOf(random, [1, 0.5, 2]);
    return { schema: z.number().multipleOf(step), value: (values) => int(values, -3, 9) * step };
  },
  () => ({ schema: z.boolean(), value: (values) => values() < 0.5 }),
  () => ({
    schema: z.enum(["red", "green", "blue"]),
    value: (values) => oneOf(values, ["red", "blue"]),
  }),
  () => ({ schema: z.literal([1, 2, 3]), value: (values) => int(values, 1, 3) }),
  () => ({ schema: intOrString(), value: (values) => oneOf(values, [80, "http"]) }),
  () => ({ schema: quantity(), value: (values) => oneOf(values, [2, "500m", "1Gi"]) }),
  () => ({ schema: preserveUnknown(), value: (values) => oneOf(values, junk) }),
  (random) => ({
    schema: rule(z.int().max(100), oneOf(random, ["self % 2 == 0", "self > 3 || self < 0"]), {
      message: "the number does not fit",
    }),
    value: (values) => int(values, 0, 9),
  }),
];

const compounds: readonly Maker[] = [
  objectOf,
  objectOf,
  (random, depth) => {
    const item = randomSchema(random, depth + 1);
    const [min, max] = [int(random, 0, 1), int(random, 2, 4)];
    return {
      schema: z.array(item.schema).min(min).max(max),
      value: (values) => Array.from({ length: int(values, min, max) }, () => item.value(values)),
    };
  },
  (random, depth) => {
    const value = randomSchema(random, depth + 1);
    return {
      schema: z.record(z.string(), value.schema),
      value: (values) => ({ a: value.value(values), "b.c": value.value(values) }),
    };
  },
  (random, depth) => {
    const value = randomSchema(random, depth + 1);
    return {
      schema: listMap(["name"], z.object({ name: z.string(), value: value.schema.optional() })),
      value: (values) =>
        ["n", "m", "n"]
          .slice(0, int(values, 0, 3))
          .map((name) => ({ name, value: value.value(values) })),
    };
  },
  () => ({
    schema: listSet(z.string()),
    value: (values) =>
      Array.from({ length: int(values, 0, 3) }, () => oneOf(values, ["x", "y", "z"])),
  }),
  () => ({ schema: z.tuple([z.int(), z.int()]), value: (values) => [int(values, 0, 9), 1] }),
  (random, depth) => {
    const [one, other] = [randomSchema(random, depth + 1), randomSchema(random, depth + 1)];
    return {
      schema: z.discriminatedUnion("type", [
        z.object({ type: z.literal("a"), left: withoutDefault(one.schema) }),
        z.object({ type: z.enum(["b", "c"]), right: withoutDefault(other.schema).optional() }),
      ]),
      value: (values) =>
        values() < 0.5
          ? { type: "a", left: one.value(values) }
          : { type: oneOf(values, ["b", "c", "d"]), right: other.value(values) },
    };
  },
];

function objectOf(random: Random, depth: number): RandomSchema {
  const names = ["alpha", "beta", "gamma", "in"].slice(0, int(random, 1, 4));
  const fields = names.map((name) => ({ name, ...randomSchema(random, depth + 1) }));
  const shape = Object.fromEntries(
    fields.map(({ name, schema }) => [name, random() < 0.5 ? schema : schema.optional()]),
  );
  const schema = random() < 0.2 ? z.looseObject(shape) : z.object(shape);
  return {
    schema,
    value(values) {
      const given = fields
        .filter(() => values() < 0.9)
        .map(({ name, value }) => [name, value(values)]);
      const extra = values() < 0.1 ? { unknown: { field: 1 } } : {};
      return { ...Object.fromEntries(given), ...extra };
    },
  };
}

/** Wraps a schema at times: nullable, with a description, or with a default. */
function withWrapper(random: Random, { schema, value }: RandomSchema): RandomSchema {
  const chance = random();
  if (chance < 0.1) {
    return {
      schema: schema.nullable(),
      value: (values) => (values() < 0.3 ? null : value(values)),
    };
  }
  if (chance < 0.2) {
    return { schema: schema.describe("A field. Described."), value };
  }
  if (chance < 0.3) {
    // A default must be valid on its own, which only simple values are for certain.
    const { type } = schema._zod.def;
    return type === "boolean"
      ? { schema: (schema as z.ZodBoolean).default(true), value }
      : type === "enum"
        ? { schema: (schema as z.ZodEnum).default("green"), value }
        : { schema, value };
  }
  return { schema, value };
}

function withoutDefault(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : schema;
}
