import { startApiServer } from "@typekube/apiserver";
import { runPods } from "@typekube/apiserver/controllers";
import { type Client, defineResource } from "typekube";
import { Deployment } from "typekube/api/apps/v1";
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
  "Every item": [["web-0"], ["web-1"], ["2 read, 1 left"], ["web-2"], ["3 read, 0 left"], [true]],
  "Some fields": [
    ["web-0", undefined, undefined],
    ['{"containers":[{"image":"i"}]}'],
    ["web-0 Running,web-1 Pending,web-2 Pending"],
  ],
  Consistency: [[1, 2], [true]],
  "One watch": [
    ["ADDED", "web-0"],
    ["ADDED", "web-1"],
    ["ADDED", "web-2"],
    ["MODIFIED", "web-0"],
  ],
  Waiting: [
    ["web-0", "Running"],
    [
      "DeadlineExceeded",
      expect.stringMatching(
        /^\[DeadlineExceeded\] pods "web-1": condition Ready=True was not met \(it was last seen at resourceVersion \d+ with no condition Ready\) within 50 ms$/,
      ),
    ],
  ],
  Rollouts: [[3]],
  "Custom kinds": [["db-0", undefined]],
  Discovery: [["apps/v1", "Deployment"], [0], [true], ["v2", []]],
  Deprecations: [
    ["deprecated", "removed"],
    [{ apiVersion: "batch/v1", kind: "CronJob", since: "1.21" }],
    ["1.33", "EndpointSlice"],
  ],
  "Permissions, tokens and eviction": [
    [["system:masters", "system:authenticated"]],
    [true, true],
    ["string"],
    [true],
  ],
  "Health and raw requests": [
    [true, []],
    [200, "PodList"],
  ],
};

const page = await pageExamples("reading.md");

it("the page has exactly the examples that run here", () => {
  expect(page.map(({ title }) => title)).toEqual(Object.keys(printed));
});

const backups = defineResource({ group: "example.com", version: "v1", kind: "Backup" });

/** Runs Deployments and their pods, for the examples that need them. */
const running = { controllers: true, stages: runPods({ readyAfterMs: 0 }) } as const;

async function createDeployment(client: Client): Promise<void> {
  const labels = { app: "web" };
  await client.resource(Deployment, "prod").create({
    metadata: { name: "web" },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
    },
  });
}

it.each(page)("the example of reading.md runs: $title", async ({ title, code }) => {
  const options = title === "Rollouts" ? running : {};
  await using api = await startApiServer({ ...options, resources: [backups] });
  await using client = await api.client();
  await client.resource(Namespace).create({ metadata: { name: "prod" } });
  const pods = client.resource(Pod, "prod");
  for (const name of ["web-0", "web-1", "web-2"]) {
    await pods.create({ metadata: { name }, spec: { containers: [{ name: "c", image: "i" }] } });
  }
  const conditions = [{ type: "Ready", status: "True" }];
  await pods.status.apply("web-0", { status: { phase: "Running", conditions } });
  const backup = { metadata: { name: "nightly" }, spec: { source: "db-0" } };
  await client.resource(backups, "prod").create(backup);
  if (title === "Rollouts") {
    await createDeployment(client);
  }
  vi.stubGlobal("embedded", api);
  await using folder = await exampleFolder();
  await folder.run(
    code.replaceAll("await connect()", "await connect({ transport: globalThis.embedded })"),
  );
  vi.unstubAllGlobals();
  expect(log).toEqual(printed[title]);
});
