import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type PodHandlers, startApiServer } from "@typekube/apiserver";
import { fileContainer } from "@typekube/test-support/file-container";
import { type Client, mergePatch } from "typekube";
import { Deployment } from "typekube/api/apps/v1";
import { Namespace, Pod, Service } from "typekube/api/core/v1";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runningPods } from "./one-off/started-cluster.js";
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
  "Pods: commands, terminals, ports, proxies, logs": [[0, ["a.txt", "b.txt", ""]]],
  Commands: [[String.raw`"a\nb\n"`], ["CommandFailed", 1]],
  "Workloads and Services": [["web-0", ["a.txt", "b.txt", ""]]],
  Sessions: [[String.raw`"a\nb\n"`], [{ exitCode: 0 }]],
  "Ports 1": [["hello from 8080"]],
  "Ports 2": [["PING"]],
  Proxies: [[200, "hello from 8080"]],
  "Logs 1": [["starting"], ["ready"]],
  "Logs 2": [["web-0/web: starting"], ["web-0/web: ready"]],
  "Copy files 1": [
    [2, 8, [{ file: "current", reason: "symlink", target: "app.log" }]],
    ["app.log", 4, 8],
    ["old.log", 8, 8],
  ],
  "Copy files 2": [["secret"]],
  "One-off pods 1": [[0, "hello\n"]],
  "One-off pods 2": [[String.raw`"a\nb\n"`], [{ exitCode: 0 }]],
  "One-off pods 3": [[true, "web-0\n"]],
};

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of source) {
    text += Buffer.from(chunk).toString();
  }
  return text;
}

/** The containers of the page. */
const containers: PodHandlers = {
  log: () => ["starting", "ready"],
  async exec({ command: [program], stdin, stdout, stderr }) {
    if (program === "ls") {
      await stdout("a.txt\nb.txt\n");
    } else if (program === "sort") {
      const lines = (await textOf(stdin)).trimEnd().split("\n").sort();
      await stdout(`${lines.join("\n")}\n`);
    } else {
      await stderr("cat: missing.txt: No such file or directory\n");
      return 1;
    }
    return 0;
  },
  async portForward({ port, data, write }) {
    if (port === 5432) {
      await write((await textOf(data)).toUpperCase());
      return;
    }
    for await (const chunk of data) {
      if (Buffer.from(chunk).includes("\r\n\r\n")) {
        const body = `hello from ${port}`;
        await write(
          `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
        );
        return;
      }
    }
  },
};

/** The files of the container that copies are about. */
async function put(folder: string): Promise<void> {
  await mkdir(join(folder, "logs"));
  await writeFile(join(folder, "logs/app.log"), "new\n");
  await writeFile(join(folder, "logs/old.log"), "old\n");
  await symlink("app.log", join(folder, "logs/current"));
}

const page = await pageExamples("pods.md");

it("the page has exactly the examples that run here", () => {
  expect(page.map(({ title }) => title.replace(/^# /, ""))).toEqual(Object.keys(printed));
});

it.each(page)("the example of pods.md runs: $title", async ({ title, code }) => {
  await using files = await fileContainer();
  await put(files.folder);
  const isCopy = title.startsWith("Copy files");
  const isOneOff = title.startsWith("One-off pods");
  const pods = isCopy ? { exec: files.exec } : containers;
  const options = isOneOff ? runningPods(() => client) : { pods };
  await using api = await startApiServer(options);
  await using client: Client = await api.client();
  await client.resource(Namespace).create({ metadata: { name: "prod" } });
  const ports = [{ name: "http", containerPort: 8080 }];
  const labels = { app: "web" };
  const spec = { containers: [{ name: "web", image: "i", ports }] };
  await client.resource(Pod, "prod").create({ metadata: { name: "web-0", labels }, spec });
  const state = { running: { startedAt: "2026-01-01T00:00:00Z" } };
  const container = { name: "web", image: "i", imageID: "", ready: true, restartCount: 0, state };
  const conditions = [{ type: "Ready", status: "True" }];
  const status = { phase: "Running", conditions, containerStatuses: [container] };
  await client.resource(Pod, "prod").status.patch("web-0", mergePatch({ status }) as never);
  await client.resource(Deployment, "prod").create({
    metadata: { name: "web" },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
  const servicePorts = [{ name: "http", port: 80, targetPort: "http" }];
  await client.resource(Service, "prod").create({
    metadata: { name: "web" },
    spec: { selector: labels, ports: servicePorts },
  });
  vi.stubGlobal("embedded", api);
  await using folder = await exampleFolder();
  await folder.run(
    code
      .replaceAll("await connect()", "await connect({ transport: globalThis.embedded })")
      .replaceAll('"./', `"${folder.path}/`),
  );
  vi.unstubAllGlobals();
  expect(log).toEqual(printed[title.replace(/^# /, "")]);
});
