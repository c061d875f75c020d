import { startApiServer } from "@typekube/apiserver";
import { runPods } from "@typekube/apiserver/controllers";
import { Namespace, Pod } from "typekube/api/core/v1";
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

/** Expected output of each example. */
const printed: Readonly<Record<string, unknown[][]>> = {
  "Logs 1": [["starting"], ["ready"]],
  "Logs 2": [["web-0/web: starting"], ["web-0/web: ready"]],
};

const page = await pageExamples("pods.md");

it("the page has exactly the examples that run here", () => {
  expect(page.map(({ title }) => title)).toEqual(Object.keys(printed));
});

it.each(page)("the example of pods.md runs: $title", async ({ title, code }) => {
  await using api = await startApiServer({
    stages: runPods({ readyAfterMs: 0, completeAfterMs: 0 }),
    pods: { log: () => ["starting", "ready"] },
  });
  await using client = await api.client();
  await client.resource(Namespace).create({ metadata: { name: "prod" } });
  const pods = client.resource(Pod, "prod");
  const containers = [{ name: "web", image: "registry.example/web" }];
  await pods.create({
    metadata: { name: "web-0", labels: { app: "web" } },
    spec: { restartPolicy: "Never", containers },
  });
  await pods.waitFor("web-0", (pod) => pod?.status?.phase === "Succeeded");
  vi.stubGlobal("embedded", api);
  await using folder = await exampleFolder();
  await folder.run(
    code.replaceAll("await connect()", "await connect({ transport: globalThis.embedded })"),
  );
  vi.unstubAllGlobals();
  expect(log).toEqual(printed[title]);
});
