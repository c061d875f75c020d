import { readFile } from "node:fs/promises";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { exampleFolder, pageExamples } from "./page-examples.js";
import { besideExamples } from "./whole-examples.js";

let log: unknown[][] = [];
beforeEach(() => {
  log = [];
  vi.spyOn(console, "log").mockImplementation((...values) => void log.push(values));
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** The output that the page shows below the example of a search. */
const shownFinding =
  /```text\n(?<text>\d+ finding[\s\S]*?)\n```/.exec(
    await readFile(new URL("../../../docs/testing.md", import.meta.url), "utf8"),
  )?.groups?.["text"] ?? "";

/** Expected output of each example. */
const printed: Readonly<Record<string, unknown[][]>> = {
  "A first test": [
    [1, "pod"],
    ["the last run:", "success"],
    [0, "pods"],
  ],
  "An operator that calls connect()": [["system:admin", "default"]],
  "Virtual time 1": [["Pending"], ["Running"]],
  "Virtual time 2": [[{ tried: "twice" }], ["again"]],
  Seed: [[true, false]],
  Faults: [[2, { tried: "until it worked" }]],
  Stages: [[["Running", "Failed"]]],
  Webhooks: [['admission webhook "tiers.example.com" denied the request: gold is sold out']],
  "With vitest": [],
  "Explore 1": [[shownFinding]],
  "Explore 2": [["invariant violated", 0]],
};

const page = await pageExamples("testing.md");
const folder = await exampleFolder();
afterAll(() => folder[Symbol.asyncDispose]());

await folder.put(await besideExamples());

// The tests of this example become tests of this file.
await folder.run(page.find(({ title }) => title === "With vitest")?.code ?? "");

it.each(page.filter(({ title }) => title !== "With vitest"))(
  "the example of the page runs: $title",
  async ({ title, code }) => {
    await folder.run(code.replace("./operator.js", "./operator.ts"));
    expect(log).toEqual(printed[title]);
  },
);

it("every example of the page is checked", () => {
  expect(page.map(({ title }) => title)).toEqual(Object.keys(printed));
});
