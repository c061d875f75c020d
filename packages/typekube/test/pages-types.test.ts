import { readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { exampleFolder, examplesOf } from "./page-examples.js";
import { besideExamples, wholeExamples } from "./whole-examples.js";

/** The blocks of this page contain errors on purpose: `.ci/check-types.mjs` compiles them. */
const mistakes = "compile-errors.md";

async function readmes() {
  const packages = await readdir(new URL("../../", import.meta.url));
  return packages.map((name) => examplesOf(`packages/${name}/README.md`));
}

it("every example of the documentation compiles with only typekube and @typekube/apiserver installed", {
  timeout: 120_000,
}, async () => {
  const docs = new URL("../../../docs/", import.meta.url);
  const names = (await readdir(docs)).filter((name) => name.endsWith(".md") && name !== mistakes);
  const pages = await Promise.all(names.map(wholeExamples));
  const examples = pages.flat().map(({ code }) => code);
  expect(examples.length).toBeGreaterThan(60);
  await using folder = await exampleFolder();
  await folder.put(await besideExamples());
  expect(await folder.typeErrors(examples)).toBe("");
});

it("every example of the packages' READMEs compiles", { timeout: 120_000 }, async () => {
  const pages = await Promise.all(await readmes());
  const examples = pages.flat().map(({ code }) => code);
  expect(examples.length).toBeGreaterThan(7);
  await using folder = await exampleFolder({ hasAllPackages: true });
  expect(await folder.typeErrors(examples)).toBe("");
});
