import { join } from "node:path";
import { startApiServer } from "@typekube/apiserver";
import { runPods } from "@typekube/apiserver/controllers";
import { Namespace, Pod } from "typekube/api/core/v1";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { exampleFolder } from "./page-examples.js";
import { wholeExamples } from "./whole-examples.js";

let log: unknown[][] = [];
beforeEach(() => {
  log = [];
  vi.spyOn(console, "log").mockImplementation((...values) => void log.push(values));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Expected output of each example. */
const printed: Readonly<Record<string, unknown[][]>> = {
  Clientset: [[2]],
  "SharedIndexInformer and cache.WaitForCacheSync": [[true, 2]],
  "Lister and Indexer": [[2]],
  "ResourceEventHandler and tombstones": [
    ["web-0", true],
    ["web-1", true],
  ],
  Reflector: [["complete"]],
  "Work queue": [["prod/web-0", "Running"]],
  "RetryWatcher and UntilWithSync": [["ADDED", "later"], ["add"]],
  RetryOnConflict: [[{ n: "1" }]],
  "wait.Poll": [["web-0"]],
  apierrors: [[true, undefined]],
  Pager: [["web-0"], ["web-1"]],
  "Dynamic and metadata clients": [[0, "PartialObjectMetadata"]],
  "Server-side apply": [[{ colour: "green" }]],
  "Fake clientsets and envtest": [[1]],
};

const page = await wholeExamples("from-client-go.md");

it.each(page)("the example of from-client-go.md runs: $title", async ({ title, code }) => {
  await using folder = await exampleFolder();
  await using api = await startApiServer({ stages: runPods({ readyAfterMs: 0 }) });
  await using admin = await api.client();
  await admin.resource(Namespace).create({ metadata: { name: "prod" } });
  for (const name of ["web-0", "web-1"]) {
    await admin.resource(Pod, "prod").create({
      metadata: { name, labels: { app: "web" } },
      spec: { containers: [{ name: "main", image: "web:1" }] },
    });
  }
  await api.settled();
  const kubeconfig = join(folder.path, "kubeconfig");
  await (await api.listen()).writeKubeconfig(kubeconfig);
  vi.stubEnv("KUBECONFIG", kubeconfig);
  await folder.run(code);
  expect(log).toEqual(printed[title]);
});

it("every example of the page is checked", () => {
  expect(page.map(({ title }) => title)).toEqual(Object.keys(printed));
});
