import { startApiServer } from "@typekube/apiserver";
import { runPods } from "@typekube/apiserver/controllers";
import { Namespace, Pod } from "typekube/api/core/v1";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { exampleFolder, pageExamples } from "./page-examples.js";

let log: unknown[][] = [];
beforeEach(() => {
  log = [];
  vi.spyOn(console, "log").mockImplementation((...values) => void log.push(values));
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Expected output of each example, by page. */
const printed: Readonly<Record<string, Readonly<Record<string, unknown[][]>>>> = {
  "informers.md": {
    "# Informers": [[2, "Running"]],
    "Wait for the first snapshot": [[true, true]],
    "Read objects": [["web-0"], [2], [2, ["Running"]], [2]],
    "Handle changes": [
      ["add", "web-0", true],
      ["add", "web-1", true],
      ["add", "web-0"],
    ],
    "See your own writes": [["gold"]],
    "Use less memory": [["PartialObjectMetadata", undefined]],
    "Divide a collection among workers": [[4]],
    "Follow a custom resource": [["NotFound"]],
    "Check its health": [["watching", undefined, 2]],
    "Read changes without a cache": [["initial"], ["initial"], ["synced"]],
    "Resume from a resourceVersion": [["MODIFIED", "web-0"]],
    "Wait for a change": [["add"]],
  },
  "informer-options.md": {
    "# Informer options": [[2]],
  },
  "informer-states.md": {
    "State changes on a diagnostics channel": [
      ["pods: stopped -> streaming (Started)"],
      ["pods: streaming -> watching (Synced)"],
      ["pods: watching -> stopped (Closed)"],
    ],
  },
};

describe.each(Object.entries(printed))("%s", async (name, outputs) => {
  const page = await pageExamples(name);

  it("has exactly the examples that run here", () => {
    expect(page.map(({ title }) => title)).toEqual(Object.keys(outputs));
  });

  it.each(page)("the example of the page runs: $title", async ({ title, code }) => {
    await using api = await startApiServer({ stages: runPods({ readyAfterMs: 0 }) });
    await using client = await api.client();
    await client.resource(Namespace).create({ metadata: { name: "prod" } });
    for (const name of ["web-0", "web-1"]) {
      await client.resource(Pod, "prod").create({
        metadata: { name, labels: { app: "web" } },
        spec: { containers: [{ name: "main", image: "web:1" }] },
      });
    }
    await api.settled();
    vi.stubGlobal("embedded", api);
    await using folder = await exampleFolder();
    await folder.run(
      code.replaceAll("await connect()", "await connect({ transport: globalThis.embedded })"),
    );
    vi.unstubAllGlobals();
    expect(log).toEqual(outputs[title]);
  });
});
