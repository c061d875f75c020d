import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runCommand } from "../src/command/run-command.js";
import { exampleFolder, pageExamples } from "./page-examples.js";

/** Returns the blocks of a page in a language. */
function blocks(text: string, language: string): string[] {
  const fences = text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"));
  return [...fences].map(([, code = ""]) => code);
}

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
  "# Custom resources": [[{ size: 3, color: "red" }]],
  Rules: [
    ["spec.path: Required value: path is required when self.type == 'Disk'"],
    ["spec.workers.min: Invalid value: min is greater than max"],
  ],
  "Check objects": [
    ["spec.size"],
    [{ size: 1, color: "red" }, ["spec.colour"]],
    ["red"],
    [{ size: 1, color: "red" }],
  ],
  Rights: [
    [
      "- apiGroups:\n  - example.com\n  resources:\n  - widgets\n  verbs:\n  - get\n  - list\n  - watch\n" +
        "- apiGroups:\n  - example.com\n  resources:\n  - widgets/status\n  verbs:\n  - patch\n",
    ],
  ],
  "Print definitions": [],
  Versions: [
    [["v1 true", "v1beta1 false"]],
    [expect.stringMatching(/^versions: v1 and v1beta1 have different schemas, but /)],
  ],
  Conversion: [
    [
      expect.stringMatching(
        /sample \d+ does not survive example\.com\/v1 to example\.com\/v1beta1 and back: replace \/spec\/host/,
      ),
    ],
  ],
  "In tests": [[true]],
};

const page = await pageExamples("custom-resources.md");

it("the page has the examples that are run here", () => {
  expect(page.map(({ title }) => title)).toEqual(Object.keys(printed));
});

it("ZD8: the command of custom-resources.md prints what the page shows", async () => {
  const text = await readFile(
    new URL("../../../docs/custom-resources.md", import.meta.url),
    "utf8",
  );
  const [command] = blocks(text, "sh");
  const [output] = blocks(text, "text");
  await using folder = await exampleFolder();
  const module = page.find(({ title }) => title === "Print definitions");
  await folder.put({ "kinds.ts": module?.code ?? "" });
  let out = "";
  const code = await runCommand((command ?? "").trim().split(" ").slice(2), {
    folder: folder.path,
    write: (written) => {
      out += written;
    },
    writeError: (written) => {
      out += written;
    },
  });
  expect([code, out]).toEqual([0, output]);
});

it.each(page)("the example of custom-resources.md runs: $title", async ({ title, code }) => {
  await using folder = await exampleFolder();
  await folder.run(code);
  expect(log).toEqual(printed[title]);
});
