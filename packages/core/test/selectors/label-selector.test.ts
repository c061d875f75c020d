import {
  formatLabelSelector,
  type LabelRequirement,
  type LabelSelectorInput,
  matchesLabels,
  parseLabelSelector,
} from "@typekube/core";
import { thrown } from "@typekube/test-support/failure";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { describe, expect, it } from "vitest";

const requirement = (key: string, operator: LabelRequirement["operator"], ...values: string[]) => ({
  key,
  operator,
  values,
});

describe("parsing a label selector", () => {
  it.each<[string, LabelRequirement[]]>([
    ["", []],
    ["  ", []],
    ["a=b", [requirement("a", "In", "b")]],
    ["a==b", [requirement("a", "In", "b")]],
    ["a = b , c != d", [requirement("a", "In", "b"), requirement("c", "NotIn", "d")]],
    ["a=", [requirement("a", "In", "")]],
    ["a!=", [requirement("a", "NotIn", "")]],
    ["a", [requirement("a", "Exists")]],
    ["!a", [requirement("a", "DoesNotExist")]],
    ["! a", [requirement("a", "DoesNotExist")]],
    ["a in (b,c)", [requirement("a", "In", "b", "c")]],
    ["a in ( b , c )", [requirement("a", "In", "b", "c")]],
    ["a in(b)", [requirement("a", "In", "b")]],
    ["a in ()", [requirement("a", "In", "")]],
    ["a in (b,,c)", [requirement("a", "In", "b", "", "c")]],
    ["a notin (b),c", [requirement("a", "NotIn", "b"), requirement("c", "Exists")]],
    ["a>1,b<22", [requirement("a", "Gt", "1"), requirement("b", "Lt", "22")]],
    ["app.kubernetes.io/name=x_y.Z-1", [requirement("app.kubernetes.io/name", "In", "x_y.Z-1")]],
  ])("parses the label selector %s", (text, expected) => {
    expect(parseLabelSelector(text)).toEqual(expected);
  });

  it.each([
    ["a,", ""],
    [",a", ""],
    ["a=b=c", "a=b=c"],
    ["a in b", "a in b"],
    ["a in (b", "a in (b"],
    ["ok=1,a in (b))", "a in (b))"],
    ["ok=1,a b", "a b"],
    ["a>b", "a>b"],
    ["a>", "a>"],
    ["a>1.5", "a>1.5"],
    ["-a=b", "-a=b"],
    ["a=b/c", "a=b/c"],
    ["a=-b", "a=-b"],
    ["a/b/c", "a/b/c"],
    ["/a", "/a"],
    ["a/", "a/"],
    ["A.io/a", "A.io/a"],
    ["a..b/c", "a..b/c"],
    ["!", "!"],
    ["=b", "=b"],
    [`a=${"x".repeat(64)}`, `a=${"x".repeat(64)}`],
    ["x".repeat(64), "x".repeat(64)],
    [`${"x.".repeat(126)}xx/a`, `${"x.".repeat(126)}xx/a`],
    ["ä=b", "ä=b"],
  ])("the error for %s names the invalid part", async (text, part) => {
    const error = await thrown(() => parseLabelSelector(text));
    expect(error.code).toBe("InvalidArgument");
    expect(error.message).toContain(`"${part}"`);
  });
});

describe("formatting a label selector", () => {
  it.each<[LabelSelectorInput, string]>([
    ["any,text (as it is)", "any,text (as it is)"],
    [{}, ""],
    [{ app: "web", tier: "" }, "app=web,tier="],
    [{ matchLabels: { b: "1", a: "2" } }, "a=2,b=1"],
    [{ matchLabels: "x", a: "b" }, "a=b,matchLabels=x"],
    [{ matchExpressions: [{ key: "a", operator: "In", values: ["x", "y"] }] }, "a in (x,y)"],
    [{ matchExpressions: [{ key: "a", operator: "NotIn", values: ["x", "y"] }] }, "a notin (x,y)"],
    [
      {
        matchLabels: { z: "1" },
        matchExpressions: [
          { key: "a", operator: "Exists" },
          { key: "b", operator: "DoesNotExist", values: [] },
        ],
      },
      "!b,a,z=1",
    ],
  ])("formats the label selector %o", (selector, expected) => {
    expect(formatLabelSelector(selector)).toBe(expected);
  });

  it.each<LabelSelectorInput>([
    { app: "web,secret" },
    { app: "a=b" },
    { "app,other": "b" },
    { "": "b" },
    { matchLabels: { app: "x y" } },
    { matchExpressions: [{ key: "a", operator: "In", values: ["b)", "c"] }] },
    { matchExpressions: [{ key: "a", operator: "In", values: [] }] },
    { matchExpressions: [{ key: "a", operator: "NotIn" }] },
    { matchExpressions: [{ key: "a", operator: "Exists", values: ["b"] }] },
    { matchExpressions: [{ key: "a", operator: "Gt", values: ["1"] }] },
    { matchExpressions: [{ key: "a", operator: "in", values: ["1"] }] },
  ])("rejects %o, which would select something else", async (selector) => {
    expect((await thrown(() => formatLabelSelector(selector))).code).toBe("InvalidArgument");
  });

  it("parses what it formatted, with the same selection", () => {
    const random = seededRandom(7);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const keys = ["a", "b-c", "x.io/y", "in", "notin", "app.kubernetes.io/name"];
    const values = ["", "v", "V.1_2-3", "in", "0"];
    for (let i = 0; i < 500; i++) {
      const chosen = keys.filter(() => random() < 0.4);
      const matchExpressions = chosen.map((key) => {
        const operator = pick(["In", "NotIn", "Exists", "DoesNotExist"] as const);
        const count = operator === "In" || operator === "NotIn" ? 1 + Math.floor(random() * 3) : 0;
        return { key, operator, values: Array.from({ length: count }, () => pick(values)) };
      });
      const text = formatLabelSelector({ matchExpressions });
      const parsed = parseLabelSelector(text);
      expect(parsed).toHaveLength(matchExpressions.length);
      expect(parsed).toEqual(expect.arrayContaining(matchExpressions));
      const labels = Object.fromEntries(
        keys.filter(() => random() < 0.5).map((key) => [key, pick(values)]),
      );
      expect(matchesLabels(parsed, labels)).toBe(matchesLabels(matchExpressions, labels));
    }
  });
});

describe("matching labels", () => {
  it.each([
    ["", undefined, true],
    ["a=b", { a: "b" }, true],
    ["a=b", undefined, false],
    ["a!=b", undefined, true],
    ["a!=b", { a: "b" }, false],
    ["a notin (b)", {}, true],
    ["a", { a: "" }, true],
    ["!a", { a: "" }, false],
    ["a=", { a: "" }, true],
    ["a=", {}, false],
    ["a>1", { a: "2" }, true],
    ["a>1", { a: "1" }, false],
    ["a>1", { a: "x" }, false],
    ["a<9007199254740993", { a: "9007199254740992" }, true],
    ["a<1", {}, false],
    ["a=b,c", { a: "b" }, false],
  ])("the label selector %s on the labels %o: %s", (text, labels, expected) => {
    expect(
      matchesLabels(parseLabelSelector(text), labels as Record<string, string> | undefined),
    ).toBe(expected);
  });
});
