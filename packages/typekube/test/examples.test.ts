import { readdir, readFile } from "node:fs/promises";
import { format } from "node:util";
import { afterEach, expect, it, vi } from "vitest";

const folder = new URL("../../../examples/", import.meta.url);

/** Examples that end with their output; the others are run by .ci/check-readme.mjs. */
const examples: [file: string, printed: string][] = [];
for (const file of (await readdir(folder)).filter((name) => name.endsWith(".ts"))) {
  const [, comment] = (await readFile(new URL(file, folder), "utf8")).split("\n// Prints:\n");
  if (comment !== undefined) {
    examples.push([file, comment.replace(/^\/\/ ?/gm, "")]);
  }
}

afterEach(() => {
  vi.restoreAllMocks();
});

it.each(examples)("examples/%s prints its documented output", async (file, printed) => {
  let output = "";
  vi.spyOn(console, "log").mockImplementation((...values) => {
    output += `${format(...values)}\n`;
  });
  await import(new URL(file, folder).href);
  expect(output).toBe(printed);
});

it("there are at least twelve examples, one task each", () => {
  expect(examples.length).toBeGreaterThanOrEqual(12);
});
