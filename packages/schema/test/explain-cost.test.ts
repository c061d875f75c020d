import assert from "node:assert/strict";
import type { JsonObject } from "@typekube/core/internal";
import { it } from "vitest";
import { evaluate } from "../src/evaluation/evaluate.js";
import { checkRules } from "../src/rule-checks/check-rules.js";
import { explainCost } from "../src/rule-checks/explain-cost.js";
import { findBounds, maxSearchWork } from "../src/rule-checks/find-bounds.js";
import { readStructuralSchema } from "../src/structural/structural-schema.js";
import { integer, listOf, mapOf, objectOf, specOf, text, withRules } from "./rule-schemas.js";

const unique = "self.all(x, self.exists_one(y, y == x))";
const short = { ...text, maxLength: 10 };

function textsOf(schema: JsonObject): readonly string[] {
  return explainCost(schema, { version: "1.37" }).map((found) => found.text);
}

function isAccepted(schema: JsonObject): boolean {
  return checkRules(readStructuralSchema(schema), "schema", { version: "1.37" }).length === 0;
}

/** A list of objects, each with a list whose elements must be unique. */
function nested(rules: JsonObject, matches: JsonObject): JsonObject {
  const inner = withRules({ ...listOf(short), ...matches }, unique);
  return specOf({ rules: { ...listOf(objectOf({ matches: inner })), ...rules } });
}

it("VC9 [+]: a cheap rule has no explanation", () => {
  assert.deepEqual(textsOf(specOf({ a: integer }, "self.a > 0")), []);
});

it("VC9 [+]: names the list without a bound, and the largest bound that fits", () => {
  assert.deepEqual(textsOf(nested({ maxItems: 16 }, {})), [
    "maxItems <= 279 at spec.rules[*].matches makes this 9,990,464 of 10,000,000",
  ]);
  assert.equal(isAccepted(nested({ maxItems: 16 }, { maxItems: 279 })), true);
  assert.equal(isAccepted(nested({ maxItems: 16 }, { maxItems: 280 })), false);
});

it("VC9 [+]: the parts of an explanation are data", () => {
  const [found] = explainCost(nested({ maxItems: 16 }, {}), { version: "1.37" });
  assert.deepEqual(found?.fixes, [
    {
      bounds: [
        {
          path: "spec.rules[*].matches",
          keyword: "maxItems",
          atMost: 279n,
          current: undefined,
        },
      ],
      cost: 9_990_464n,
    },
  ]);
  assert.equal(
    found?.path,
    "openAPIV3Schema.properties[spec].properties[rules].items.properties[matches].x-kubernetes-validations[0].rule",
  );
  assert.equal(found?.limit, 10_000_000n);
});

it("VC9 [+]: a bound that is too large is shown", () => {
  const [found = ""] = textsOf(nested({ maxItems: 16 }, { maxItems: 1000 }));
  assert.match(
    found,
    /^maxItems <= 279 at spec\.rules\[\*\]\.matches \(now 1,000\) makes this 9,990,464 of 10,000,000/,
  );
});

it("VC9 [+]: names several nodes if no bound of one suffices", () => {
  assert.deepEqual(textsOf(nested({}, {})), [
    "maxItems <= 107 at spec.rules[*].matches and maxItems <= 107 at spec.rules together make this 9,869,252 of 10,000,000",
  ]);
  assert.equal(isAccepted(nested({ maxItems: 107 }, { maxItems: 107 })), true);
  assert.equal(isAccepted(nested({ maxItems: 108 }, { maxItems: 108 })), false);
});

it("VC9 [+]: names other nodes that suffice alone, and strings and maps among them", () => {
  const spec = (a: JsonObject, b: JsonObject): JsonObject =>
    specOf({ a: { ...mapOf({ ...text, ...b }), ...a } }, "self.a.all(k, self.a[k].contains('ab'))");
  assert.deepEqual(textsOf(spec({}, {})), [
    "maxProperties <= 31 at spec.a makes this 9,751,983 of 10,000,000; so does maxLength <= 45 at spec.a[*]",
  ]);
  assert.equal(isAccepted(spec({ maxProperties: 31 }, {})), true);
  assert.equal(isAccepted(spec({ maxProperties: 32 }, {})), false);
  assert.equal(isAccepted(spec({}, { maxLength: 45 })), true);
  assert.equal(isAccepted(spec({}, { maxLength: 46 })), false);
});

it("VC9 [+]: counts the characters of a string with format byte once, of others four times", () => {
  const encoded = (bounds: JsonObject): JsonObject => ({ ...text, format: "byte", ...bounds });
  const rule = "self.l.all(x, size(string(x)) > 0)";
  const spec = (bounds: JsonObject): JsonObject =>
    specOf({ l: { ...listOf(encoded(bounds)), maxItems: 10_000 } }, rule);
  const [found] = explainCost(spec({}), { version: "1.37" });
  const bound = found?.fixes
    .flatMap(({ bounds }) => bounds)
    .find(({ keyword }) => keyword === "maxLength")?.atMost;
  assert.ok(bound !== undefined && bound > 1n);
  assert.equal(isAccepted(spec({ maxLength: Number(bound) })), true);
  assert.equal(isAccepted(spec({ maxLength: Number(bound) + 1 })), false);
});

it("VC9 [+]: says so if no bound is enough", () => {
  const nestedLoops = "[1,2,3,4,5,6,7,8].all(a, ";
  const rule = `${nestedLoops.repeat(7).replaceAll(/\(a/g, "(a")}self.a > 0${")".repeat(7)}`;
  const [found = ""] = textsOf(specOf({ a: integer }, rule));
  assert.match(
    found,
    /^no bound is enough to bring [\d,]+ down to 10,000,000: simplify the rule or split it$/,
  );
});

it("VC9 [+]: explains a message expression, which is evaluated once", () => {
  const messageExpression = "self.all(x, self.all(y, x == y)) ? 'equal' : 'different'";
  const rule = { rule: "size(self) < 9", messageExpression };
  const list = withRules(listOf(short), rule);
  const [found] = explainCost(objectOf({ l: list }), { version: "1.37" });
  assert.match(found?.path ?? "", /\.messageExpression$/);
  const [bound] = found?.fixes[0]?.bounds ?? [];
  assert.equal(bound?.path, "l");
  const bounded = (maxItems: bigint): JsonObject =>
    objectOf({ l: { ...list, maxItems: Number(maxItems) } });
  assert.equal(isAccepted(bounded(bound?.atMost ?? 0n)), true);
  assert.equal(isAccepted(bounded((bound?.atMost ?? 0n) + 1n)), false);
});

it("VC9 [+]: rules that are too expensive together get a share each, and fit with their bounds", () => {
  const names = Array.from("abcdefghijklm");
  const item = objectOf({ s: { ...text, maxLength: 1000 } }, "self.s.contains('abcdefghij')");
  const schema = (maxItems: number): JsonObject =>
    objectOf(Object.fromEntries(names.map((name) => [name, { ...listOf(item), maxItems }])));
  const texts = textsOf(schema(20_000));
  assert.equal(
    texts[0],
    "maxItems <= 19135 at a (now 20,000) makes this 7,692,270 of 7,692,307, its share of the limit of all rules; so does maxLength <= 955 at a[*].s (now 1,000)",
  );
  assert.equal(isAccepted(schema(19_135)), true);
});

it("VC9 [+]: the most expensive rules are explained, at most ten", () => {
  const names = Array.from("abcdefghijklm");
  const lists = names.map((name, index) => [
    name,
    withRules({ ...listOf(short), maxItems: 10_000 + index }, unique),
  ]);
  const found = explainCost(objectOf(Object.fromEntries(lists)), { version: "1.37" });
  assert.equal(found.length, 10);
  assert.match(found[0]?.path ?? "", /properties\[m\]/);
});

it("VC9 [+]: a search does bounded work, however long the expression and large the bounds", () => {
  let estimates = 0;
  const nodes = Array.from({ length: 40 }, (_, index) => ({
    node: { path: `a${index}`, keyword: "maxItems" as const, bound: undefined, weight: 1n },
    largest: 2n ** 40n,
  }));
  const found = findBounds(
    {
      path: "rule",
      length: maxSearchWork / 100,
      cost: 2n ** 40n,
      nodes: () => nodes,
      costWith: (bounds) => {
        estimates += 1;
        return [...bounds.values()].reduce((product, bound) => product * bound, 1n);
      },
    },
    1000n,
  );
  assert.equal(found[0]?.cost, 1000n);
  assert.ok(estimates <= 100 + found.length, `${estimates} estimates`);
});

it("VC9 [+]: evaluate adds the explanation only when asked, beside the server's message", () => {
  const schema = nested({ maxItems: 16 }, {});
  const plain = evaluate({ schema, object: {}, version: "1.37", mode: "new" });
  assert.deepEqual(Object.keys(plain.causes[0] ?? {}), ["reason", "message", "field"]);
  const { causes } = evaluate({ schema, object: {}, version: "1.37", mode: "new", explain: true });
  assert.deepEqual(
    causes.map(({ explanation: _, ...cause }) => cause),
    plain.causes,
  );
  assert.match(causes[0]?.explanation ?? "", /^maxItems <= 279 at spec\.rules\[\*\]\.matches/);
});
