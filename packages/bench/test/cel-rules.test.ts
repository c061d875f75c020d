import { readFile } from "node:fs/promises";
import { validateRules } from "@typekube/schema/rules";
import { expect, it } from "vitest";
import {
  compiled,
  listObject,
  listRule,
  numberedRule,
  schemaOf,
  smallObject,
  smallRule,
} from "../src/cel-rules.js";

it.each([
  [smallRule, smallObject, 5],
  [listRule, listObject(), 603],
  [numberedRule(1), smallObject, 23],
])(
  "VS2: the rule %s is true for its object, and costs what it costs in cel-go",
  (rule, object, cost) => {
    const findings = validateRules(compiled(schemaOf(rule)), object);
    expect(findings).toEqual({ causes: [], warnings: [], cost });
  },
);

it("VS2: the program in Go has the same rules", async () => {
  const program = await readFile(new URL("../peers/cel-go/rules.go", import.meta.url), "utf8");
  expect(program).toContain(`const smallRule = ${JSON.stringify(smallRule)}`);
  expect(program).toContain(`const listRule = ${JSON.stringify(listRule)}`);
  expect(program).toContain(numberedRule(0).replaceAll(/1000|(?<=-)0/g, "%d"));
});
