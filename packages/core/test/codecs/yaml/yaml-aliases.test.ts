import { deepStrictEqual } from "node:assert/strict";
import { codecs, defaultLimits } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";

const { json, yaml } = codecs;
const decode = (text: string, limits = {}) => yaml.decode(Buffer.from(text), { limits });

describe("anchors and aliases", () => {
  it("aliases become independent copies of the value", async () => {
    const object = (await decode("a: &x {b: [1]}\nc: *x\n&k d: *k\n")) as {
      a: { b: number[] };
      c: { b: number[] };
    };
    deepStrictEqual(object, { a: { b: [1] }, c: { b: [1] }, d: "d" });
    object.a.b.push(2);
    expect(object.c.b).toEqual([1]);
  });

  it("an anchor may be redefined, and a key may be an alias", async () => {
    deepStrictEqual(await decode("- &x 1\n- *x\n- &x 2\n- *x\n- {*x : 3}\n"), [
      1,
      1,
      2,
      2,
      { "2": 3 },
    ]);
  });

  it("an anchor redefined inside of its own value refers to the inner value from there on", async () => {
    deepStrictEqual(await decode("a: &x {b: &x {c: 1}}\nd: *x\n"), {
      a: { b: { c: 1 } },
      d: { c: 1 },
    });
    deepStrictEqual(await decode("- &x [&x 1, *x]\n- *x\n"), [[1, 1], 1]);
  });

  // As in sigs.k8s.io/yaml 1.6, and so in kubectl, the position of `<<` matters.
  it.each([
    ["base: &b {a: 1, b: 2}\nm: {<<: *b, b: 3}", { base: { a: 1, b: 2 }, m: { a: 1, b: 3 } }],
    ["{<<: {a: 1, b: 2}, b: 3}", { a: 1, b: 3 }],
    ["{b: 3, <<: {a: 1, b: 2}}", { a: 1, b: 2 }],
    ["<<: [{a: 1}, {a: 2, b: 3}]\nc: 4", { a: 1, b: 3, c: 4 }],
    ["{<<: {a: 1}, <<: {a: 2}}", { a: 2 }],
    ['{"<<": 1}', { "<<": 1 }],
    ["<<: {__proto__: 1}", JSON.parse('{"__proto__": 1}')],
  ])("reads merge keys into their parent: %s", async (text, expected) => {
    deepStrictEqual(await decode(text), expected);
  });

  it.each([
    ["<<: 1", "the value of <<"],
    ["<<: [1]", "the value of <<"],
    ["a: *x", "an unknown anchor"],
    ["a: &a [*a]", "contains itself"],
    ["&a {b: {c: *a}}", "contains itself"],
    ["&a {<<: *a}", "contains itself"],
  ])("rejects %s with the reason and the place", async (text, reason) => {
    const error = await failure(decode(text));
    expect([error.code, error.message]).toEqual(["Decode", expect.stringContaining(reason)]);
    expect(error.message).toMatch(/\(document 1, line 1, column \d+\)/);
  });
});

describe("N30: rejects documents that would grow without end before they grow", () => {
  const levels = (width: number, depth: number) =>
    `l0: &l0 [${Array(width).fill("lol").join(", ")}]\n${Array.from(
      { length: depth },
      (_, i) => `l${i + 1}: &l${i + 1} [${Array(width).fill(`*l${i}`).join(", ")}]\n`,
    ).join("")}`;

  it.each([
    ["a billion laughs", levels(9, 9)],
    ["few aliases, each twice as large as the one before", levels(2, 60)],
    [
      "a long text that is repeated many times",
      `a: &a "${"x".repeat(1_000_000)}"\nb: [${Array(900).fill("*a").join(", ")}]\n`,
    ],
    [
      "merge keys",
      `a: &a {${Array.from({ length: 2000 }, (_, i) => `k${i}: v`).join(", ")}}\nb: [${Array(900).fill("{<<: *a}").join(", ")}]\n`,
    ],
    [
      "empty objects",
      `a: &a [${Array(50_000).fill("{}").join(", ")}]\nb: [${Array(900).fill("*a").join(", ")}]\n`,
    ],
  ])("rejects a document whose aliases multiply: %s", async (_, text) => {
    const before = process.memoryUsage().heapUsed;
    const error = await failure(decode(text));
    expect([error.code, error.message]).toEqual([
      "TooLarge",
      expect.stringContaining("maxObjectBytes"),
    ]);
    expect(error.message).toContain("limits.maxObjectBytes");
    // A rough bound: expanding the aliases would take gigabytes.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(400e6);
  });

  it("the number of aliases has its own limit", async () => {
    const aliases = (count: number) => `a: &a 1\nb: [${Array(count).fill("*a").join(", ")}]\n`;
    await expect(decode(aliases(defaultLimits.maxYamlAliases))).resolves.toBeDefined();
    const error = await failure(decode(aliases(defaultLimits.maxYamlAliases + 1)));
    expect([error.code, error.message]).toEqual([
      "TooLarge",
      expect.stringContaining("maxYamlAliases (1000)"),
    ]);
    expect((await failure(decode(aliases(3), { maxYamlAliases: 2 }))).code).toBe("TooLarge");
  });

  it("a document that can be read can be written", async () => {
    const object = await decode(levels(9, 3));
    expect((await json.encode(object)).byteLength).toBeLessThan(defaultLimits.maxObjectBytes);
  });
});

describe("nesting", () => {
  const flow = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const block = (depth: number) =>
    Array.from({ length: depth }, (_, i) => `${" ".repeat(i)}a:`).join("\n");
  const dashes = (depth: number) => `${"- ".repeat(depth)}x`;
  const aliases = (depth: number) =>
    `- &a0 [x]\n${Array.from({ length: depth - 2 }, (_, i) => `- &a${i + 1} [*a${i}]\n`).join("")}`;

  it.each([
    ["flow", flow],
    ["block", block],
    ["dashes", dashes],
    ["aliases", aliases],
  ])("is limited by maxDepth, in %s notation", async (_, nested) => {
    await expect(decode(nested(20), { maxDepth: 20 })).resolves.toBeDefined();
    const error = await failure(decode(nested(21), { maxDepth: 20 }));
    expect([error.code, error.message]).toEqual([
      "TooLarge",
      expect.stringContaining("maxDepth (20)"),
    ]);
    await expect(decode(nested(500))).resolves.toBeDefined();
    expect((await failure(decode(nested(501)))).code).toBe("TooLarge");
  });

  it("with an excessive limit, a stack overflow becomes a KubeError", async () => {
    const error = await failure(decode(flow(100_000), { maxDepth: 1e9 }));
    expect([error.code, error.message]).toEqual(["TooLarge", expect.stringContaining("maxDepth")]);
  });
});
