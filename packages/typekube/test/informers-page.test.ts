import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { exampleFolder } from "./page-examples.js";
import { wholeExamples } from "./whole-examples.js";

let log: unknown[][] = [];
beforeEach(() => {
  log = [];
  vi.spyOn(console, "log").mockImplementation((...values) => void log.push(values));
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Expected output of each example. */
const printed: Readonly<Record<string, unknown[][]>> = {
  "# Informers": [["Running"], [2], ["add", "web-0"]],
  "Workers that divide a collection": [],
  "Own writes": [[{ tier: "gold" }]],
  "Being watched from outside": [
    ["pods: stopped -> streaming (Started)"],
    ["pods: streaming -> watching (Synced)"],
    ["pods: watching -> stopped (Closed)"],
  ],
  "Waiting, and a watch from a version": [["MODIFIED", "web-0"]],
};

const isState = /^pods: /;

const page = await wholeExamples("informers.md");

it("the page has exactly the examples that run here", () => {
  expect(page.map(({ title }) => title.replace(/ \d$/, ""))).toEqual(Object.keys(printed));
});

it.each(page)("$title", async ({ title, code }) => {
  await using folder = await exampleFolder();
  await folder.run(code);
  const expected = printed[title.replace(/ \d$/, "")] ?? [];
  // Subscribers of earlier examples still exist.
  const own = title.startsWith("Being") ? log : log.filter(([text]) => !isState.test(String(text)));
  expect(own).toEqual(expected);
});
