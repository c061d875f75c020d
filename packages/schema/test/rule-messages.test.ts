import assert from "node:assert/strict";
import type { JsonObject } from "@typekube/core/internal";
import { it } from "vitest";
import { causesOf } from "./causes.js";
import { integer, specOf, text } from "./rule-schemas.js";

/** Returns the message of a rule that is false for `a`. */
function messageOf(rule: JsonObject, a: number | string): string | undefined {
  const schema = specOf({ a: typeof a === "number" ? integer : text }, rule);
  const [cause, ...others] = causesOf(schema, { spec: { a } });
  assert.deepEqual(others, []);
  return cause?.replace("spec: Invalid value: ", "");
}

const messageOfText = (a: string): string | undefined =>
  messageOf({ rule: "false", message: "own", messageExpression: "self.a" }, a);

it("VR4: a rule without a message is quoted, without the spaces around it", () => {
  assert.equal(messageOf({ rule: " self.a > 5\n" }, 1), "failed rule: self.a > 5");
});

it("VR4: a message takes the place of the rule, without the spaces around it", () => {
  assert.equal(messageOf({ rule: "self.a > 5", message: " too small " }, 1), "too small");
});

it("VR4: a message expression wins over a message", () => {
  const messageExpression = "' got ' + string(self.a) + ' '";
  assert.equal(messageOf({ rule: "self.a > 5", messageExpression }, 1), "got 1");
  assert.equal(messageOf({ rule: "self.a > 5", message: "own", messageExpression }, 1), "got 1");
});

it("VR4: a message expression sees the old value", () => {
  const messageExpression = "'was ' + string(oldSelf.a)";
  const schema = specOf({ a: integer }, { rule: "self.a >= oldSelf.a", messageExpression });
  assert.deepEqual(causesOf(schema, { spec: { a: 1 } }, { spec: { a: 2 } }), [
    "spec: Invalid value: was 2",
  ]);
});

it("VR5: a message expression has no oldSelf unless a rule of the same place compares with it", () => {
  const above5 = {
    rule: "self.a > 5",
    message: "own",
    messageExpression: "'was ' + string(oldSelf.a)",
  };
  const [object, old] = [{ spec: { a: 1 } }, { spec: { a: 2 } }];
  assert.deepEqual(causesOf(specOf({ a: integer }, above5), object, old), [
    "spec: Invalid value: own",
  ]);
  assert.deepEqual(causesOf(specOf({ a: integer }, above5, "oldSelf.a > 0"), object, old), [
    "spec: Invalid value: was 2",
  ]);
});

it("VR5: with optionalOldSelf a message expression fails where it treats oldSelf as an optional", () => {
  const schema = specOf(
    { a: integer },
    {
      rule: "oldSelf.hasValue() && self.a == oldSelf.value().a",
      message: "own",
      optionalOldSelf: true,
      messageExpression: "oldSelf.hasValue() ? 'changed' : 'new'",
    },
  );
  assert.deepEqual(causesOf(schema, { spec: { a: 1 } }, { spec: { a: 2 } }), [
    "spec: Invalid value: own",
  ]);
  assert.deepEqual(causesOf(schema, { spec: { a: 1 } }), ["spec: Invalid value: own"]);
});

it("VR5: a message expression that fails gives way to the message, or else to the rule", () => {
  const messageExpression = "string(1 / (self.a - 1))";
  assert.equal(messageOf({ rule: "self.a > 5", message: "own", messageExpression }, 1), "own");
  assert.equal(messageOf({ rule: "self.a > 5", messageExpression }, 1), "failed rule: self.a > 5");
});

it.each(["", " ", " \n ", "\u0085", "a\nb", " a\n\nb "])(
  "VR5: %j as the result of a message expression is not used",
  (result) => {
    assert.equal(messageOfText(result), "own");
  },
);

it("VR5: line breaks around a message do not count, nor does a carriage return in it", () => {
  assert.equal(messageOfText("\n ab \n"), "ab");
  assert.equal(messageOfText("a\rb"), "a\rb");
});

it("VR5: a message has at most 5,120 bytes after trimming", () => {
  const longest = "x".repeat(5120);
  assert.equal(messageOfText(longest), longest);
  assert.equal(messageOfText(`  ${longest}\n`), longest);
  assert.equal(messageOfText(`${longest}x`), "own");
  assert.equal(messageOfText("é".repeat(2560)), "é".repeat(2560));
  assert.equal(messageOfText("é".repeat(2561)), "own");
});

it("VR5: messages are trimmed as in Go: of U+0085, but not of U+FEFF", () => {
  assert.equal(messageOfText("\u0085a\ufeff"), "a\ufeff");
  assert.equal(messageOf({ rule: "false", message: "\u0085own\ufeff" }, 1), "own\ufeff");
});

it("VR7: an empty rule does not run; U+FEFF alone is not empty", () => {
  const schema = specOf({ a: integer }, "", " \n ", "\u0085");
  assert.deepEqual(causesOf(schema, { spec: { a: 1 } }), []);
  const [cause, ...others] = causesOf(specOf({ a: integer }, "\ufeff"), { spec: { a: 1 } });
  assert.deepEqual(others, []);
  assert.match(cause ?? "", /^spec: Invalid value: "object": rule compile error: .*Syntax error/);
});
