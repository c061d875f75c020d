import { describe, expect, test } from "vitest";
import { expectRule } from "../src/vitest/index.js";

const integer = { type: "integer" };
const schema = {
  type: "object",
  properties: {
    a: integer,
    b: integer,
    names: { type: "array", maxItems: 10, items: { type: "string", maxLength: 10 } },
  },
};
const rule = "self.a < self.b && self.names.all(n, n != '' && n.startsWith('web-'))";
const good = { a: 1, b: 2, names: ["web-0"] };

/** Returns the message of the error that a function throws. */
function errorOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "";
}

describe.each([
  ["with a schema", { schema, version: "1.37" }],
  ["without a schema", { version: "1.37" }],
])("expectRule %s", (_, options) => {
  test("VR21 [+]: passes if the rule accepts and rejects as expected, with a part of the message", () => {
    expectRule(rule, options)
      .accepts(good)
      .rejects({ ...good, a: 7 })
      .rejects({ ...good, a: 7 }, "self.a (7) < self.b (2)")
      .rejects({ ...good, a: 7 }, /failed rule: self\.a < self\.b/)
      .rejects({ ...good, names: ["db-0"] }, /self\.names\[0\]/);
  });

  test("VR21 [+]: fails with the explanation if a value is rejected", () => {
    const text = errorOf(() => expectRule(rule, options).accepts({ ...good, a: 7 }));
    expect(text).toContain(`expected the rule to accept {"a":7,"b":2,"names":["web-0"]}`);
    expect(text).toContain(`failed rule: ${rule}`);
    expect(text.split("\n").at(-1)).toBe("self.a (7) < self.b (2)");
  });

  test("VR21 [+]: fails if a value is accepted, or rejected with another message", () => {
    const expectation = expectRule(rule, options);
    expect(errorOf(() => expectation.rejects(good))).toBe(
      `expected the rule to reject ${JSON.stringify(good)}\n${rule}`,
    );
    const text = errorOf(() => expectation.rejects({ ...good, a: 7 }, /too many/));
    expect(text).toContain("expected the message to contain /too many/, not:");
    expect(text).toContain("self.a (7) < self.b (2)");
  });

  test("VR21 [+]: covers() names the conjuncts that were never false, also inside of all()", () => {
    const expectation = expectRule(rule, options).accepts(good);
    const bad = (names: readonly string[]): object => ({ ...good, names });
    expect(errorOf(() => expectation.covers())).toBe(
      [
        "expected the tests to cover the rule",
        "3 of 3 conjuncts were never false; reject a value for each:",
        "  self.a < self.b",
        "  n != ''",
        "  n.startsWith('web-')",
      ].join("\n"),
    );
    expectation.rejects({ ...good, a: 7 }).rejects(bad(["x"]));
    expect(errorOf(() => expectation.covers())).toContain("1 of 3 conjuncts were never false");
    expectation.rejects(bad([""])).covers();
  });

  test("VR21 [+]: covers() expects that a value was accepted", () => {
    const text = errorOf(() =>
      expectRule("self.a < self.b", options).rejects({ a: 2, b: 1 }).covers(),
    );
    expect(text).toBe("expected the tests to cover the rule\nno value was accepted");
  });

  test("VR21 [+]: branches of ? : and parts of ! and || count as conjuncts", () => {
    expectRule("has(self.names) ? self.a < 3 : !(self.a > 5 || self.b > 5)", options)
      .accepts({ a: 1, b: 2 })
      .rejects({ a: 3, names: [] })
      .rejects({ a: 1, b: 6 })
      .covers();
  });

  test("VR21 [+]: takes the old value, and names a rule that a server skips without one", () => {
    const expectation = expectRule("self.a >= oldSelf.a", options)
      .accepts({ a: 2 }, { old: { a: 1 } })
      .accepts({ a: 2 })
      .rejects({ a: 1 }, "self.a (1) >= oldSelf.a (2)", { old: { a: 2 } });
    expect(errorOf(() => expectation.rejects({ a: 1 }))).toContain("reads oldSelf");
    expectation.covers();
  });

  test("VR21 [+]: takes an entry of x-kubernetes-validations with its message", () => {
    expectRule({ rule: "self.a < 3", message: "at most two" }, options).rejects(
      { a: 3 },
      "at most two",
    );
    expectRule(
      { rule: "self.a < 3", messageExpression: "self.a > 5 ? 'far too many' : 'too many'" },
      options,
    ).rejects({ a: 3 }, "too many");
  });

  test("VR21 [+]: an error of the rule is a rejection", () => {
    expectRule("self.names[3] != ''", options).rejects({ names: [] }, "index out of bounds: 3");
  });

  test("VR21 [+]: a rule that a server refuses is an error", () => {
    expect(errorOf(() => expectRule("self.a <", options))).toContain("Syntax error");
    expect(errorOf(() => expectRule("self.a", { ...options, schema }))).toContain(
      "must evaluate to a bool",
    );
    expect(errorOf(() => expectRule("1 + 1", options))).toContain("must evaluate to a bool");
    // A function of 1.37 is new to that version.
    expect(errorOf(() => expectRule("self.names.includes('a')", options))).toContain("includes");
    expectRule("self.names.includes('a')", { ...options, mode: "stored" }).accepts({
      names: ["a"],
    });
  });
});

test("VR21 [+]: a field that the schema does not have is an error", () => {
  expect(errorOf(() => expectRule("self.c < 3", { schema }))).toContain("undefined field 'c'");
});

test("VR21 [+]: a rule that is too expensive is an error that names the missing bound", () => {
  const list = { type: "array", items: { type: "string", maxLength: 10 } };
  const text = errorOf(() =>
    expectRule("self.all(x, self.exists_one(y, y == x))", { schema: list }),
  );
  expect(text).toContain("estimated rule cost exceeds budget");
  expect(text).toContain("maxItems <= 1117 at self makes this");
});

test("VR21 [+]: a rule at the root of a resource sees its metadata", () => {
  expectRule("self.metadata.name.startsWith('a')", { schema, isRoot: true })
    .accepts({ metadata: { name: "a-0" } })
    .rejects({ metadata: { name: "b-0" } }, `self.metadata.name ("b-0")`);
});

test("VR21 [+]: values of scalars, lists and maps are taken, too", () => {
  expectRule("self > 3", { schema: integer }).accepts(4).rejects(3);
  expectRule("size(self) < 2", { schema: schema.properties.names })
    .accepts(["a"])
    .rejects(["a", "b"]);
  const map = { type: "object", maxProperties: 9, additionalProperties: { type: "string" } };
  expectRule("self.all(k, k != 'x')", { schema: map }).accepts({ a: "b" }).rejects({ x: "b" });
});

test("VR21 [+]: the stack of the error begins in the test", () => {
  try {
    expectRule("self.a < 3").accepts({ a: 3 });
    expect.unreachable();
  } catch (error) {
    const [, first = ""] = (error instanceof Error ? error.stack : "")?.split("\n    at ") ?? [];
    expect(first).toContain("expect-rule.test.ts");
  }
});
