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
  Create: [[9, { k: "v" }]],
  "Modify 1": [[{ n: "3" }]],
  "Modify 2": [[{ colour: "green" }, { app: "shop" }]],
  Update: [[true, { k: "2" }]],
  Patch: [[{ kept: "1", new: "2" }, { app: "shop" }]],
  "Patches from two objects": [
    [
      '{"containers":[{"name":"log","$patch":"delete"}],"$setElementOrder/containers":[{"name":"web"}]}',
    ],
    [["web"]],
  ],
  "A test in a patch": [[true], [{ n: "8" }]],
  Subresources: [["Scale", 3, 1]],
  "Restart, cordon, drain": [[2], [true], ["cordoned,evicting,evicted,gone"], ["1500m", 0]],
  Delete: [[true], ["terminating"]],
  "Dry runs and strict writes": [
    [{ k: "v" }, undefined],
    [[{ problem: "unknown", field: "daata" }]],
  ],
  Apply: [[{ colour: "red", theirs: "1" }, "changed"]],
  Conflicts: [["one", ".data.k", "1"], [2], [{ k: "2", mine: "1" }, ["two"]]],
  "Handing a field over": [[5]],
  "The fields of one manager": [[{ app: "shop" }, { k: "1" }], [{ k: "2", theirs: "1" }]],
  "From client-side apply": [[{ k: "2" }]],
  "Field sets": [[[".data.k", ".metadata.labels.app.kubernetes.io/name"]], ["shop", true]],
};

const page = await wholeExamples("writing.md");

it.each(page)("$title", async ({ title, code }) => {
  await using folder = await exampleFolder();
  await folder.run(code);
  expect(log).toEqual(printed[title]);
});

it("every example of the page is checked", () => {
  expect(page.map(({ title }) => title)).toEqual(Object.keys(printed));
});
