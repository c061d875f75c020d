// An API server with one pod, in its own process: `pod-server.js`. It serves the pod's log, commands and port from bytes that it makes in advance, so
// that it costs less than the programs. It sends its port and the folder of the copied files to its parent, and serves until the channel closes.
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { benchPod, copiedFileContent, copiedFileName, copiedFiles } from "../bench-pod.js";
import { madeArchive } from "./archive.js";
import { runCommand, sessionProtocols } from "./commands.js";
import { discovery } from "./discovery.js";
import { forwardPort, portProtocols } from "./forwarded-port.js";
import { sendLog } from "./log.js";
import { acceptSocket } from "./server-socket.js";

const podPath = `/api/v1/namespaces/${benchPod.namespace}/pods/${benchPod.name}`;
const pod = {
  kind: "Pod",
  apiVersion: "v1",
  metadata: {
    name: benchPod.name,
    namespace: benchPod.namespace,
    uid: "00000000-0000-4000-8000-000000000000",
    resourceVersion: "1",
  },
  spec: {
    nodeName: "node",
    containers: [
      {
        name: benchPod.container,
        image: "example.com/image",
        ports: [{ containerPort: benchPod.port }],
      },
    ],
  },
  status: {
    phase: "Running",
    conditions: [{ type: "Ready", status: "True" }],
    // Its log has ended.
    containerStatuses: [
      {
        name: benchPod.container,
        ready: false,
        restartCount: 0,
        state: { terminated: { exitCode: 0, reason: "Completed" } },
      },
    ],
  },
};
const documents: Readonly<Record<string, object>> = { ...discovery, [podPath]: pod };

const folder = mkdtempSync(join(tmpdir(), "typekube-bench-pod-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
fill(join(folder, copiedFiles.name));
// The paths in the commands of kubectl, TypeKube and client-node.
for (const path of [`${copiedFiles.parent}/${copiedFiles.name}`, `./${copiedFiles.name}`]) {
  madeArchive(path);
}
madeArchive(copiedFiles.name);

const server = createServer((request, response) => {
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://server");
  if (pathname === `${podPath}/log`) {
    const lines = Number(query.get("tailLines"));
    void sendLog(response, { lines, timestamps: query.get("timestamps") === "true" });
    return;
  }
  const found = documents[pathname];
  const body = JSON.stringify(found ?? { kind: "Status", status: "Failure", code: 404 });
  response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
  response.end(body);
});

server.on("upgrade", (request, duplex) => {
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://server");
  const isSession = pathname === `${podPath}/exec`;
  const socket = acceptSocket(request, duplex, isSession ? sessionProtocols : portProtocols);
  if (socket !== undefined) {
    void (isSession ? runCommand(socket, query.getAll("command")) : forwardPort(socket));
  }
});

server.listen(0, "127.0.0.1");
await once(server, "listening");
process.on("disconnect", () => process.exit());
// Lets the folder be removed.
process.on("SIGTERM", () => process.exit());
process.send?.({ port: (server.address() as AddressInfo).port, folder });

function fill(path: string): void {
  mkdirSync(path);
  for (let index = 0; index < copiedFiles.count; index++) {
    writeFileSync(join(path, copiedFileName(index)), copiedFileContent(index));
  }
}
