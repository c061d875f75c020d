import { expect, it } from "vitest";
import { asModule, besideExamples, commentExamples, namesForExamples } from "./comment-examples.js";
import { exampleFolder } from "./page-examples.js";

it("every @example of a doc comment is a ts fence", async () => {
  const examples = await commentExamples();
  expect(examples.length).toBeGreaterThan(35);
  expect(examples.filter(({ code }) => code === undefined)).toEqual([]);
});

it("every @example of a doc comment compiles", { timeout: 120_000 }, async () => {
  const examples = (await commentExamples()).filter(({ code }) => code !== undefined);
  const names = await namesForExamples();
  await using folder = await exampleFolder({ hasAllPackages: true });
  await folder.put({ [besideExamples.file]: besideExamples.code });
  const errors = await folder.typeErrors(examples.map(({ code = "" }) => asModule(code, names)));
  const placed = errors.replace(
    /example-(\d+)\.ts/g,
    (file, number) => examples[Number(number) - 1]?.place ?? file,
  );
  expect(placed).toBe("");
});
