import { execFile } from "node:child_process";
import type { ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { get, text } from "@typekube/test-support/calls";
import { httpServer, rawServer } from "@typekube/test-support/servers";
import { describe, expect, test } from "vitest";
import { createTransport } from "../../src/index.js";

describe("connections", () => {
  test("N1: 300 concurrent calls use no more connections than the pool has", async () => {
    await using server = await httpServer((_request, response) => response.end("{}"));
    await using transport = createTransport({ server: server.url, connections: 8 });
    const bodies = await Promise.all(
      Array.from({ length: 300 }, async () => text(await transport.send(get()))),
    );
    expect(new Set(bodies)).toEqual(new Set(["{}"]));
    expect(server.connections).toBeLessThanOrEqual(8);
  });

  test("N1: 300 consecutive calls use a handful of connections", async () => {
    await using server = await httpServer((_request, response) => response.end("{}"));
    await using transport = createTransport({ server: server.url });
    for (let i = 0; i < 300; i += 1) {
      await text(await transport.send(get()));
    }
    expect(server.connections).toBeLessThanOrEqual(3);
  });

  test("N3: 40 open watches do not delay a call", async () => {
    const watches: ServerResponse[] = [];
    await using server = await httpServer((request, response) => {
      if (request.url?.includes("watch")) {
        watches.push(response);
        response.write("{}\n");
      } else {
        response.end("{}");
      }
    });
    await using transport = createTransport({ server: server.url, connections: 1 });
    const open = await Promise.all(
      Array.from({ length: 40 }, () =>
        transport.send(get({ path: "/api?watch=1", mode: "stream" })),
      ),
    );
    expect(await text(await transport.send(get()))).toBe("{}");
    expect(watches).toHaveLength(40);
    await Promise.all(open.map((response) => response.body[Symbol.asyncIterator]().return?.()));
    // One connection is left: the call's.
    expect(server.connections).toBe(41);
  });

  test("H34: 100 parallel calls each get their own body", async () => {
    await using server = await httpServer((request, response) => response.end(request.url));
    await using transport = createTransport({ server: server.url });
    const paths = Array.from({ length: 100 }, (_, i) => `/api/${i}`);
    const bodies = await Promise.all(
      paths.map(async (path) => text(await transport.send(get({ path })))),
    );
    expect(bodies).toEqual(paths);
  });

  test("N27, H4: keeps the path of the server's URL in front of every request path", async () => {
    await using server = await httpServer((request, response) => response.end(request.url));
    for (const base of ["/k8s/clusters/c-1", "/k8s/clusters/c-1/"]) {
      await using transport = createTransport({ server: server.url + base });
      expect(await text(await transport.send(get({ path: "/api/v1/pods?limit=5" })))).toBe(
        "/k8s/clusters/c-1/api/v1/pods?limit=5",
      );
      expect(transport.server).toBe(`${server.url}/k8s/clusters/c-1`);
    }
  });
});

describe("the path of a request", () => {
  test.each(["", "/base"])(
    "H5: keeps its query, with repeated names, after the base path %j",
    async (base) => {
      await using server = await httpServer((request, response) => response.end(request.url));
      await using transport = createTransport({ server: server.url + base });
      expect(await text(await transport.send(get({ path: "/a/b?x=1&x=2" })))).toBe(
        `${base}/a/b?x=1&x=2`,
      );
    },
  );
});

test("a DELETE with a body leaves its connection usable for later calls", async () => {
  await using server = await httpServer((request, response) => {
    request.resume().on("end", () => response.end("{}"));
  });
  await using transport = createTransport({ server: server.url, connections: 1 });
  for (const method of ["DELETE", "GET", "DELETE", "POST"] as const) {
    const body = method === "GET" ? undefined : Buffer.from("{}");
    expect(await text(await transport.send(get({ method, body })))).toBe("{}");
  }
  expect(server.connections).toBe(1);
});

describe("connection attempts", () => {
  test.each(["idle", "call", "stream", "proxy"])(
    "N32: a finished script exits without close (%s)",
    async (mode) => {
      // "idle" needs a server that responds over http; the other modes get a handshake without a response.
      await using server = await (mode === "idle"
        ? httpServer((_request, response) => response.end("{}"))
        : rawServer(() => {}));
      const url = mode === "idle" ? server.url : `https://127.0.0.1:${server.port}`;
      const script = fileURLToPath(new URL("../helpers/finished-script.ts", import.meta.url));
      const { stdout } = await promisify(execFile)(process.execPath, [
        "--import",
        "tsx",
        "--conditions=@typekube/source",
        script,
        ...(mode === "proxy" ? ["https://kube.test", "call", "http1", server.url] : [url, mode]),
      ]);
      expect(stdout.trim()).toBe(mode === "idle" ? "200" : "DeadlineExceeded");
    },
  );

  test("a call right after an aborted connection attempt succeeds", async () => {
    await using server = await httpServer((_request, response) => response.end("{}"));
    await using transport = createTransport({ server: server.url, connections: 1 });
    for (let round = 0; round < 20; round += 1) {
      const controller = new AbortController();
      const given = transport.send(get({ signal: controller.signal }));
      controller.abort();
      const next = transport.send(get({ method: "POST" }));
      await expect(given).rejects.toBe(controller.signal.reason);
      expect(await text(await next)).toBe("{}");
    }
  });
});
