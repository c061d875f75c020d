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

const diff = `--- v1/ConfigMap shop/settings (live)
+++ v1/ConfigMap shop/settings (applied)
@@ -1,6 +1,6 @@
 apiVersion: v1
 data:
-  colour: green
+  colour: red
 kind: ConfigMap
 metadata:
   name: settings
`;

/** Expected output of each example. */
const printed: Readonly<Record<string, unknown[][]>> = {
  Apply: [[["0 ConfigMap created", "1 Namespace created"]], [["changed", "unchanged"]]],
  "Failures 1": [["Invalid", ["created", "created", "failed"]]],
  "Failures 2": [["ConfigMap", "Not_Valid", "Invalid"]],
  Diff: [[true, diff]],
  Delete: [[["ConfigMap deleted", "Namespace terminating"]]],
  Prune: [[["b"]], [undefined], [true]],
  Reading: [["b"]],
};

const page = await wholeExamples("manifests.md");

it.each(page)("$title", async ({ title, code }) => {
  await using folder = await exampleFolder();
  await folder.run(code);
  expect(title === "Failures 2" ? log.slice(1) : log).toEqual(printed[title]);
});

it("every example of the page is checked", () => {
  expect(page.map(({ title }) => title)).toEqual(Object.keys(printed));
});
