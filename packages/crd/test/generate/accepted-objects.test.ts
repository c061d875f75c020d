import { collectErrors } from "@typekube/core/internal/field-errors";
import { readStructuralSchema, validateCustomObject } from "@typekube/schema";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { expect, test } from "vitest";
import { generate, readDefinitions } from "../../src/generate/index.js";
import { compile } from "./compile.js";
import { definition } from "./fixture.js";

const seed = 20270330;
const kinds = 60;
const objectsOfKind = 200;

type Random = () => number;
type Schema = Readonly<Record<string, unknown>>;

const pick = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)] as T;

const scalars: readonly Schema[] = [
  { type: "string" },
  { type: "string", enum: ["", "x"] },
  { type: "string", nullable: true, enum: ["x", null] },
  { type: "integer" },
  { type: "integer", enum: [1, 2], nullable: true },
  { type: "boolean", nullable: true },
  { "x-kubernetes-int-or-string": true },
  { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  { type: "object" },
  { type: "array", items: { type: "string", nullable: true } },
  { type: "object", additionalProperties: { type: "integer" } },
];

/** Returns an object schema, often with alternatives of every form. */
function randomSchema(random: Random, depth: number): Schema {
  const names = ["a", "b", "c", "d"];
  const branch = (): Schema => ({
    ...(random() < 0.8 ? { required: names.filter(() => random() < 0.4) } : {}),
    ...(random() < 0.2 ? { not: { required: [pick(random, names)] } } : {}),
    ...(random() < 0.2 ? { properties: { e: { enum: [pick(random, ["x", "y"])] } } } : {}),
    ...(random() < 0.1 ? { minProperties: 2 } : {}),
  });
  const branches = () => Array.from({ length: 1 + Math.floor(random() * 3) }, branch);
  return {
    type: "object",
    required: names.filter(() => random() < 0.15),
    properties: {
      ...Object.fromEntries(
        names.map((name) => [
          name,
          depth > 0 && random() < 0.3 ? randomSchema(random, depth - 1) : pick(random, scalars),
        ]),
      ),
      e: { type: "string", enum: ["x", "y"] },
    },
    ...(random() < 0.2 ? { "x-kubernetes-preserve-unknown-fields": true } : {}),
    ...(random() < 0.5 ? { oneOf: branches() } : {}),
    ...(random() < 0.3 ? { anyOf: branches() } : {}),
    ...(random() < 0.2 ? { allOf: [{ anyOf: branches() }] } : {}),
  };
}

/** Returns a value that a schema may allow. */
function randomValue(random: Random, schema: Schema): unknown {
  const { type, enum: values, properties, items, additionalProperties } = schema;
  if (schema["nullable"] === true && random() < 0.3) {
    return null;
  }
  if (Array.isArray(values)) {
    return pick(random, values);
  }
  switch (type) {
    case "string":
      return pick(random, ["", "x", "text"]);
    case "integer":
      return Math.floor(random() * 3);
    case "boolean":
      return random() < 0.5;
    case "array":
      return [randomValue(random, items as Schema)];
    case "object": {
      const fields = Object.entries((properties ?? {}) as Readonly<Record<string, Schema>>);
      const chosen = fields.filter(() => random() < 0.5);
      const extra = schema["x-kubernetes-preserve-unknown-fields"] === true ? { more: [1] } : {};
      const more = additionalProperties === undefined ? extra : { key: 1 };
      return {
        ...Object.fromEntries(chosen.map(([name, one]) => [name, randomValue(random, one)])),
        ...more,
      };
    }
    default:
      return pick<unknown>(random, [1, "http"]);
  }
}

test("GT29: every object that servers accept is assignable to its type", async () => {
  const random = seededRandom(seed);
  const definitions: string[] = [];
  const lines: string[] = [];
  for (let at = 0; at < kinds; at++) {
    const spec = randomSchema(random, 1);
    const source = { type: "object", required: ["spec"], properties: { spec } };
    definitions.push(definition({ kind: `Kind${at}`, schema: source }));
    const schema = readStructuralSchema(source);
    for (let round = 0; round < objectsOfKind; round++) {
      const object = { spec: randomValue(random, spec) };
      const errors = collectErrors((found) =>
        validateCustomObject({ schema }, { object }, found, {
          compilePattern: () => ({ test: () => true }),
        }),
      );
      if (errors.length === 0) {
        lines.push(`export const o${lines.length}: Kind${at} = ${JSON.stringify(object)};`);
      }
    }
  }
  const {
    files,
    problems,
    kinds: generated,
  } = generate(
    await Promise.all(definitions.map((text) => readDefinitions([{ name: "a", text }]))),
  );
  expect(problems, `seed ${seed}`).toEqual([]);
  expect(generated).toHaveLength(kinds);
  expect(lines.length).toBeGreaterThan(1000);
  const used = generated.filter(({ kind }) => lines.some((line) => line.includes(`: ${kind} = `)));
  const names = used.map(({ kind }) => kind).join(", ");
  const program = `import type { ${names} } from "./example.com/v1.js";\n${lines.join("\n")}\n`;
  expect(await compile(new Map([...files, ["objects.ts", program]])), `seed ${seed}`).toBe("");
});
