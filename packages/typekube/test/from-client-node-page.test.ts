import { join } from "node:path";
import { memoryContainers, startApiServer } from "@typekube/apiserver";
import { runPods } from "@typekube/apiserver/controllers";
import { conditions } from "typekube";
import { Deployment } from "typekube/api/apps/v1";
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
  Kubeconfig: [[1]],
  "Calls of an API class": [["string"]],
  Errors: [["NotFound", 404, 'configmaps "nowhere" not found']],
  Patches: [[3, 4]],
  KubernetesObjectApi: [[["created"], "ConfigMap"]],
  CustomObjectsApi: [[1]],
  Watch: [["initial"]],
  makeInformer: [["add", "web"], [undefined]],
  "Logs, exec, attach, port-forward, cp": [[0, "app.js\n"], [1, 8], ["started"], [200]],
  "Options of calls": [["planned", undefined]],
};

const page = await wholeExamples("from-client-node.md");

it.each(page)("the example of from-client-node.md runs: $title", async ({ title, code }) => {
  await using folder = await exampleFolder();
  await using api = await startApiServer({
    controllers: true,
    stages: runPods({ readyAfterMs: 0 }),
    pods: memoryContainers(),
  });
  await using admin = await api.client();
  const deployments = admin.resource(Deployment, "default");
  await deployments.create({
    metadata: { name: "web" },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "web", image: "web:1", command: ["echo", "started"] }] },
      },
    },
  });
  await deployments.waitFor("web", conditions.available());
  const kubeconfig = join(folder.path, "kubeconfig");
  await (await api.listen()).writeKubeconfig(kubeconfig);
  vi.stubEnv("KUBECONFIG", kubeconfig);
  await folder.run(code.replaceAll('"./', `"${folder.path}/`));
  expect(log).toEqual(printed[title]);
});

it("every example of the page is checked", () => {
  expect(page.map(({ title }) => title)).toEqual(Object.keys(printed));
});
