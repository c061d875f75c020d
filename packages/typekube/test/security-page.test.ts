import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../../../", import.meta.url);
const page = readFileSync(new URL("SECURITY.md", root), "utf8");
const references = [...page.matchAll(/\[([^\]]+)\]\(([^)]+\.test\.ts)\)/g)].map(
  ([, title = "", file = ""]) => ({ title, file }),
);

it("SECURITY.md names a test for each promise", () => {
  const rows = page.split("\n").filter((line) => /^\| [A-Z`]/.test(line));
  expect(rows.length).toBeGreaterThan(15);
  expect(rows.filter((row) => !row.includes(".test.ts)"))).toEqual([]);
});

it.each(references)("SECURITY.md: $file has the test: $title", ({ title, file }) => {
  const text = readFileSync(new URL(file, root), "utf8");
  // Matches titles and their cases, but not comments.
  const code = text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  expect(code).toContain(title);
  expect(text).not.toMatch(/\b(?:it|test|describe)\.(?:skip|only|todo|fails)\b/);
});

it.each(["README.md", "docs/connecting.md"])("the page %s links to SECURITY.md", (file) => {
  expect(readFileSync(new URL(file, root), "utf8")).toMatch(/\]\((?:\.\.\/)?SECURITY\.md\)/);
});
