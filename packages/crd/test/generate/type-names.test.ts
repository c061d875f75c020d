import { seededRandom } from "@typekube/test-support/seeded-random";
import { expect, test } from "vitest";
import { generate, readDefinitions } from "../../src/generate/index.js";
import { definition } from "./fixture.js";

/** A tree of objects and lists. */
interface Tree {
  readonly [name: string]: Tree;
}

const seed = 20270101;
const letters = ["a", "b", "aB", "bA", "abC", "ab", "c"];

function randomTree(random: () => number, depth: number): Tree {
  const names = letters.filter(() => random() < 0.5);
  return Object.fromEntries(
    names.map((name) => [name, depth === 0 ? {} : randomTree(random, depth - 1)]),
  );
}

function schemaOf(tree: Tree): object {
  const entries = Object.entries(tree);
  return entries.length === 0
    ? { type: "string" }
    : {
        type: "object",
        properties: Object.fromEntries(entries.map(([name, one]) => [name, schemaOf(one)])),
      };
}

/** Returns the declarations of a module by name. */
async function declarations(properties: object): Promise<Map<string, string>> {
  const text = definition({ schema: { type: "object", properties } });
  const { files } = generate([await readDefinitions([{ name: "a", text }])]);
  const module = files.get("example.com/v1.ts") ?? "";
  const found = module.matchAll(/^export (?:interface|type) ([\w$]+)[\s\S]*?^}/gm);
  return new Map([...found].map(([whole, name = ""]) => [name, whole]));
}

test("GT28: types are named by their paths", async () => {
  const found = await declarations({
    spec: {
      type: "object",
      properties: {
        list: { type: "array", items: { type: "object", properties: { a: { type: "string" } } } },
        map: {
          type: "object",
          additionalProperties: { type: "object", properties: { a: { type: "string" } } },
        },
      },
    },
  });
  expect([...found.keys()]).toEqual([
    "Widget",
    "WidgetList",
    "WidgetSpec",
    "WidgetSpecListItem",
    "WidgetSpecMapValue",
  ]);
});

test(`GT28: a field whose name is new changes no other type, also among equal names (seed ${seed})`, async () => {
  const random = seededRandom(seed);
  for (let round = 0; round < 50; round++) {
    const tree = randomTree(random, 3);
    const spec = schemaOf(tree) as { readonly properties?: object };
    const before = await declarations({ spec });
    const after = await declarations({ spec, unrelated: schemaOf({ z: { a: {} } }) });
    before.delete("Widget");
    for (const [name, text] of before) {
      expect(after.get(name)).toBe(text);
    }
  }
});

test("GT27: kinds that are no identifiers, and names that differ in case or dashes only, stay apart", async () => {
  const texts = ["Foo-Bar", "FooBar", "class", "Foobar"].map((kind, at) =>
    definition({ kind, plural: `plural${at}` }),
  );
  const { files, problems } = generate(
    await Promise.all(texts.map((text) => readDefinitions([{ name: "a", text }]))),
  );
  expect(problems).toEqual([]);
  const names = (files.get("example.com/v1.ts") ?? "").match(/(?<=^export const )\w+/gm);
  expect(names).toEqual(["Foo_Bar", "FooBar", "Foobar", "class_"]);
});
