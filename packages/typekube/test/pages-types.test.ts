import { readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { exampleFolder } from "./page-examples.js";
import { besideExamples, wholeExamples } from "./whole-examples.js";

/** Its blocks are mistakes: `.ci/check-types.mjs` compiles them. */
const mistakes = "compile-errors.md";

it("every example of the documentation compiles", { timeout: 120_000 }, async () => {
  const docs = new URL("../../../docs/", import.meta.url);
  const names = (await readdir(docs)).filter((name) => name.endsWith(".md") && name !== mistakes);
  const pages = await Promise.all(names.map(wholeExamples));
  const examples = pages.flat().map(({ code }) => code);
  expect(examples.length).toBeGreaterThan(60);
  await using folder = await exampleFolder();
  await folder.put(await besideExamples());
  expect(await folder.typeErrors(examples)).toBe("");
});
