import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { check, checkEach } from "@typekube/apiserver/check";
import { expect, test } from "vitest";
import { configMap, widget, widgets } from "./lines-of.js";

/** Number of fuzzed texts; the long suite sets TYPEKUBE_FUZZ, and TYPEKUBE_CHECK_TEXTS=1000000 takes half an hour. */
const { TYPEKUBE_FUZZ, TYPEKUBE_CHECK_TEXTS = TYPEKUBE_FUZZ ?? "400" } = process.env;
const rounds = Number(TYPEKUBE_CHECK_TEXTS);
const timeout = 60_000 + rounds * 20;
const seed = Number(process.env["TYPEKUBE_SEED"] ?? 1);

test(`MC85: fuzzed texts end in findings (${rounds} texts, seed ${seed})`, {
  timeout,
}, async () => {
  const random = seeded(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const parts = [
    ..."{}[]:,-#&*!|>'\"%@` \n\t",
    "---\n",
    "...\n",
    "<<: ",
    "&a ",
    "*a",
    "kind: ",
    "\u0000",
    "\u2028",
    "\ufeff",
    "1e999",
    "__proto__: ",
    "{{ x }}",
    "# typekube-ignore: unknown-field x\n",
    "- ",
    "? ",
  ];
  const whole = [
    configMap("a", "data: {a: b}\n"),
    widget("{size: 1}"),
    widgets,
    "apiVersion: v1\nkind: List\nitems:\n- {}\n",
  ];
  for (let batch = 0; batch < rounds; batch += 200) {
    const texts = Array.from({ length: Math.min(200, rounds - batch) }, (_, index) => {
      let text = pick(whole);
      for (let change = Math.floor(random() * 4); change >= 0; change--) {
        const at = Math.floor(random() * text.length);
        text = text.slice(0, at) + pick(parts) + text.slice(at + Math.floor(random() * 6));
      }
      return { name: `${batch + index}`, text };
    });
    const { findings } = await check(texts);
    for (const { rule, location, message } of findings) {
      const text = texts[Number(location.source) - batch]?.text;
      expect(rule, `${message}\n${text}`).not.toBe("check-failed");
      expect(location.line, text).toBeGreaterThan(0);
      expect(location.line, text).toBeLessThanOrEqual((text?.split(/\r\n|\n|\r/).length ?? 0) + 1);
    }
  }
});

test("MC85: an expensive pattern or expression in a definition ends at the limits of the server", async () => {
  const crds = widgets
    .replace(
      "size: {type: integer}",
      'size: {type: integer}\n              name: {type: string, pattern: "^(a+)+$"}',
    )
    .replace("self.size < 10", "has(self.name)");
  const text = widget(`{size: 1, name: "${"a".repeat(50_000)}b"}`);
  const { findings } = await check(text, { crds });
  expect(findings.map(({ rule }) => rule)).toEqual(["field-invalid"]);
  const bomb = widgets.replace(
    "self.size < 10",
    "[1,2,3].all(a, [1,2,3].all(b, self.labels.all(c, self.labels.all(d, self.labels.all(e, c == d && d == e)))))",
  );
  expect((await check(bomb)).findings.map(({ rule }) => rule)).toContain("definition-invalid");
});

test("MC85: a file of 20 MB of documents is checked without being held", async () => {
  let count = 0;
  const one = configMap("NAME", `data: {a: "${"x".repeat(100_000)}"}\n`);
  const files = Array.from({ length: 200 }, (_, index) => ({
    name: `${index}`,
    read: async () => {
      count += 1;
      return one.replace("NAME", `a${index}`);
    },
  }));
  const { summary } = await check(files);
  expect(summary.valid).toBe(200);
  expect(count).toBe(400);
});

test("MC85: a document of 100 MB is a finding", async () => {
  const text = configMap("a", `data: {a: "${"x".repeat(100_000_000)}"}\n`);
  const { findings } = await check({ name: "big.yaml", text });
  expect(findings).toMatchObject([
    { rule: "too-large", location: { source: "big.yaml", line: 1 } },
  ]);
});

test("MC85: a file of 100 MB is checked document by document, without being held as objects", {
  timeout: 120_000,
}, async () => {
  const one = configMap("NAME", `data: {a: "${"x".repeat(999_000)}"}\n`);
  const text = Array.from({ length: 100 }, (_, index) => one.replace("NAME", `a${index}`)).join(
    "---\n",
  );
  const source = { name: "big.yaml", read: async () => text };
  collect();
  const before = process.memoryUsage().heapUsed;
  let most = 0;
  const stream = checkEach([source]);
  for await (const { status, location } of stream) {
    expect([status, location.source]).toEqual(["valid", "big.yaml"]);
    if (location.document % 25 === 0) {
      collect();
      most = Math.max(most, process.memoryUsage().heapUsed - before);
    }
  }
  expect(stream.summary.valid).toBe(100);
  // The text itself was there before; objects of a few documents come on top.
  expect(most).toBeLessThan(30_000_000);
});

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function seeded(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test("MC85: a scalar of 9 MB is read, whatever its form", async () => {
  const long = "a".repeat(9 * 1024 * 1024);
  for (const value of [long, `"${long}"`, `'${long}'`, `|\n    ${long}`]) {
    const { findings } = await check([
      { name: "long", text: configMap("a", `data:\n  key: ${value}\n`) },
      { name: "b", text: configMap("b", "dta: {}\n") },
    ]);
    expect(findings.map(({ rule, location }) => `${location.source} ${rule}`)).toEqual([
      "long rejected",
      "b unknown-field",
    ]);
  }
});
