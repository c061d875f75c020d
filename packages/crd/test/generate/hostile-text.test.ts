import { seededRandom } from "@typekube/test-support/seeded-random";
import { expect, test } from "vitest";
import { generate, type KindSource } from "../../src/generate/index.js";
import { compile } from "./compile.js";

const hostile = [
  "*/",
  "*/ export const injected = 1; /*",
  "/*",
  "//",
  "`",
  "$\u007binjected}",
  "\\",
  "\\u002a/",
  '"',
  "'",
  '"; injected(); "',
  "\n",
  "\r\n",
  "\u2028",
  "\u2029",
  "\u202e",
  "\u0000",
  "\u001b[31m",
  "\ud800",
  "\ufeff",
  "@deprecated",
  "{@link injected}",
  "<!-- -->",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  "prototype",
  "default",
  "function",
  "$ref",
  "a b",
  "a-b",
  "aB",
  "ünï",
  "💥",
  "",
  " ",
  "0",
  "-1",
  "item",
  "value",
  "Item",
];

const seed = 20260727;

/** Returns kinds whose names are valid, and whose other texts are hostile. */
function kinds(count: number, random: () => number): KindSource[] {
  const one = () => hostile[Math.floor(random() * hostile.length)] ?? "";
  const some = () => `${one()}${random() < 0.5 ? "" : `${one()}${one()}`}`;
  const scalar = (): object => ({
    description: `${some()}\n${some()}`,
    title: some(),
    type: "string",
    pattern: some(),
    format: some(),
    ...(random() < 0.5 ? { enum: [some(), some(), one()] } : { default: some() }),
    "x-kubernetes-validations": [{ rule: some(), message: some() }],
  });
  const object = (depth: number): object => {
    const names = Array.from({ length: 4 }, some);
    return {
      description: some(),
      type: "object",
      required: names.slice(0, 1),
      properties: Object.fromEntries(
        names.map((name) => [name, depth > 0 ? object(depth - 1) : scalar()]),
      ),
      ...(random() < 0.3 ? { oneOf: names.map((name) => ({ required: [name] })) } : {}),
      ...(random() < 0.2 ? { "x-kubernetes-preserve-unknown-fields": true } : {}),
      ...(random() < 0.2 ? { "x-kubernetes-embedded-resource": true } : {}),
      "x-kubernetes-list-map-keys": [some()],
    };
  };
  return Array.from({ length: count }, (_, at) => ({
    group: "hostile.example.com",
    version: "v1",
    kind: `Kind${at}`,
    listKind: `Kind${at}List`,
    plural: `kind${at}s`,
    singular: some(),
    shortNames: [some()],
    categories: [some(), some()],
    scope: "Namespaced",
    verbs: ["get", "list"],
    subresources: { [some()]: { apiVersion: some(), kind: some(), verbs: ["get"] } },
    schema: {
      type: "object",
      description: some(),
      properties: { spec: object(2), [some()]: scalar() },
    },
    deprecation: some(),
    selectableFields: [some()],
    columns: [{ name: some(), type: "string", jsonPath: some() }],
    scale: { specReplicasPath: some(), statusReplicasPath: some(), labelSelectorPath: some() },
    served: true,
    origin: some(),
  }));
}

test("GT20, GT27: no text of a definition becomes code, and all names stay as they are", async () => {
  const sources = kinds(60, seededRandom(seed));
  const input = { sources, problems: [], skipped: new Map(), notes: [] };
  const { files } = generate([input], { schemas: "zod" });
  const text = files.get("hostile.example.com/v1.ts") ?? "";
  expect(await compile(files), `seed ${seed}`).toBe("");
  const values = text.match(/^(?:export )?(?:const|let|var|function|class) .*/gm) ?? [];
  const facts = values.filter((line) => /^export const [\w$]+Facts_* = \{$/.test(line));
  expect(values.length - facts.length).toBe(sources.length);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is about control characters
  expect(text).not.toMatch(/[\x00-\x08\x0b-\x1f\u2028-\u202e\u2066-\u2069]/);
  const plain = text.replace(/\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\.)*"/g, "");
  expect(plain).not.toMatch(/\binjected\b/);
});
