import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { exampleFolder, pageExamples } from "./page-examples.js";

let log: unknown[][] = [];
beforeEach(() => {
  log = [];
  vi.spyOn(console, "log").mockImplementation((...values) => void log.push(values));
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Expected output of each example, as its comments say. */
const printed: Readonly<Record<string, unknown[][]>> = {
  "# Expressions in CEL": [
    [{ ok: true, value: true, cost: 16 }],
    [{ ok: false, error: { code: "Failed", message: "no such key: names" }, cost: 5 }],
  ],
  "Compile errors": [["found no matching overload for '_==_' applied to '(int, string)'", 10]],
  "Why an expression is false": [
    ["self.replicas (7) <= self.max (5)"],
    [`self.names[1]: n ("db-0").startsWith('web-')`],
  ],
  "Expressions that say nothing": [
    [[{ code: "AlwaysTrue", message: "always true: size(l) >= 0", start: 9, end: 21 }]],
    [{ variables: ["l", "n"], functions: ["_&&_", "_>=_", "_>_", "size"] }],
  ],
  "Own functions": [[{ ok: true, value: "hi!", cost: 1 }]],
  "Validation rules of definitions 1": [
    [
      [
        {
          reason: "FieldValueInvalid",
          message: "Invalid value: failed rule: self.replicas <= self.max",
          field: "spec",
        },
      ],
    ],
    [1],
  ],
  "Validation rules of definitions 2": [
    ["self.replicas (7) < 5"],
    ["size(self.password) (secret) > 9"],
  ],
  "Why a rule is too expensive": [
    ["maxItems <= 279 at rules[*].matches makes this 9,990,464 of 10,000,000"],
    [[{ path: "rules[*].matches", keyword: "maxItems", atMost: 279n, current: undefined }]],
  ],
  "Admission policies": [
    [false, 18],
    ["ValidatingAdmissionPolicy 'few-replicas' with binding 'all' denied request: at most 5"],
  ],
  "Policies from TypeScript": [
    [["deployments/scale"], "few-replicas"],
    ["spec.mutations[0].applyConfiguration.expression"],
  ],
};

const page = await pageExamples("cel.md");

it("the page has the examples that are run here", () => {
  expect(page.map(({ title }) => title)).toEqual(Object.keys(printed));
});

it.each(page)("the example of cel.md runs: $title", async ({ title, code }) => {
  await using folder = await exampleFolder();
  await folder.run(code);
  expect(log).toEqual(printed[title]);
});
