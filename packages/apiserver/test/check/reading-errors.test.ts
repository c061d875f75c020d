import { check } from "@typekube/apiserver/check";
import { expect, test, vi } from "vitest";
import { configMap } from "./lines-of.js";

/** Stands for a defect of the reader. */
const defect = "a: defect";

vi.mock(import("../../src/check/text/parse-document.js"), async (original) => {
  const real = await original();
  const parseDocument: typeof real.parseDocument = (text) => {
    if (text.includes(defect)) {
      throw new RangeError("Maximum call stack size exceeded");
    }
    return real.parseDocument(text);
  };
  return { ...real, parseDocument };
});

test("MC85: an error of the reading itself names its document, and the rest is checked", async () => {
  const { findings, summary } = await check([
    { name: "a.yaml", text: `${configMap("a")}---\n${defect}\n---\n${configMap("c")}` },
    { name: "b.yaml", text: configMap("b", "dta: {}\n") },
  ]);
  expect(findings).toMatchObject([
    {
      rule: "check-failed",
      message: "the document could not be read: Maximum call stack size exceeded",
      location: { source: "a.yaml", document: 2, line: 6 },
    },
    { rule: "unknown-field", location: { source: "b.yaml" } },
  ]);
  expect(summary).toMatchObject({ checked: 4, valid: 2 });
});
