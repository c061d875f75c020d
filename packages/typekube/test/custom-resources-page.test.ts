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
  Versions: [
    [["v1 true", "v1beta1 false"]],
    [expect.stringMatching(/^versions: v1 and v1beta1 have different schemas, but /)],
  ],
};

const page = await pageExamples("custom-resources.md");

it("the page has the examples that are run here", () => {
  expect(page.map(({ title }) => title)).toEqual(Object.keys(printed));
});

it.each(page)("the example of custom-resources.md runs: $title", async ({ title, code }) => {
  await using folder = await exampleFolder();
  await folder.run(code);
  expect(log).toEqual(printed[title]);
});
