import { channel } from "node:diagnostics_channel";
import { KubeError } from "@typekube/core";
import { type DiagnosticsEvents, type HttpRequest, intercept } from "@typekube/core/internal";
import { bytesOf, failure, get, text } from "@typekube/test-support/calls";
import { httpServer } from "@typekube/test-support/servers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createTransport, tokenFile } from "../../src/index.js";
import { observe } from "../../src/internal.js";
import * as identities from "../../src/observe/request-identity.js";

const names = ["start", "response", "retry", "error", "end"] as const;
type Received = { [field: string]: unknown; on: string };

const undo: (() => void)[] = [];
afterEach(() => {
  for (const off of undo.splice(0)) {
    off();
  }
  vi.restoreAllMocks();
});

/** Collects everything that the channels publish until the end of the test. */
function listen(only: readonly string[] = names): Received[] {
  const received: Received[] = [];
  for (const name of only) {
    const full = `typekube:request.${name}`;
    const listener = (message: unknown) => received.push({ on: name, ...(message as object) });
    channel(full).subscribe(listener);
    undo.push(() => channel(full).unsubscribe(listener));
  }
  return received;
}

const marks = {
  "audit-id": "a-1",
  "x-kubernetes-pf-flowschema-uid": "fs-1",
  "x-kubernetes-pf-prioritylevel-uid": "pl-1",
};

describe("diagnostics events of a call", () => {
  test("H24: publishes the start, every response and retry, and one end, all for the same request", async () => {
    const received = listen();
    let calls = 0;
    await using server = await httpServer((_request, response) => {
      calls += 1;
      response.writeHead(calls === 1 ? 503 : 200, { "retry-after": "0", ...marks });
      response.end("{}");
    });
    await using transport = createTransport({ server: server.url });
    await text(await transport.send(get({ path: "/api/v1/namespaces/shop/pods/web?x=canary" })));
    expect(received.map(({ on }) => on)).toEqual(["start", "response", "retry", "response", "end"]);
    const [start, first, retry, second, end] = received;
    expect(new Set(received.map(({ request }) => request)).size).toBe(1);
    expect(start?.["request"]).toEqual({
      method: "GET",
      verb: "get",
      urlTemplate: "/api/v1/namespaces/{namespace}/pods/{name}",
      server: server.url,
      apiVersion: "v1",
      resource: "pods",
      namespace: "shop",
      name: "web",
    });
    const flow = { auditId: "a-1", flowSchemaUid: "fs-1", priorityLevelUid: "pl-1" };
    expect(first).toMatchObject({ status: 503, attempt: 1, ...flow });
    expect(retry).toMatchObject({ attempt: 1, status: 503, delayMs: 0 });
    expect(second).toMatchObject({ status: 200, attempt: 2, ...flow });
    expect(end).toMatchObject({ attempts: 2, status: 200 });
    expect(first?.["durationMs"]).toBeTypeOf("number");
    expect(JSON.stringify(received)).not.toContain("canary");
  });

  test("a call without a response ends with its error, an aborted call with the signal's reason", async () => {
    const received = listen();
    await using transport = createTransport({ server: "http://127.0.0.1:1" });
    const error = await failure(transport.send(get()));
    const reason = new Error("no more");
    const request = get({ signal: AbortSignal.abort(reason) });
    await expect(transport.send(request)).rejects.toBe(reason);
    expect(received.map(({ on, error }) => [on, error])).toEqual([
      ["start", undefined],
      ["error", error],
      ["end", error],
      ["start", undefined],
      ["error", reason],
      ["end", reason],
    ]);
  });

  test("counts a broken read and a rejected token as retries", async () => {
    const received = listen(["retry", "end"]);
    let calls = 0;
    await using server = await httpServer((request, response) => {
      calls += 1;
      if (calls === 1) {
        request.socket.destroy();
      } else {
        response.writeHead(request.headers.authorization === "Bearer new" ? 200 : 401);
        response.end("{}");
      }
    });
    const tokens = ["old", "old", "new"];
    await using transport = createTransport({
      server: server.url,
      credentialsOverHttp: true,
      auth: tokenFile("/t", { read: async () => tokens.shift() ?? "new" }),
    });
    tokens.shift();
    expect((await transport.send(get())).status).toBe(200);
    expect(received.map(({ on }) => on)).toEqual(["retry", "retry", "end"]);
    expect(received[0]).toMatchObject({ attempt: 1, error: expect.any(KubeError) });
    expect(received[1]).toMatchObject({ attempt: 2, status: 401, delayMs: 0 });
    expect(received[2]).toMatchObject({ attempts: 3, status: 200 });
  });

  test("a subscriber can add a header in the start event, but not replace one or add one later", async () => {
    let add: DiagnosticsEvents["typekube:request.start"]["addHeader"] | undefined;
    const listener = (message: unknown) => {
      const event = message as DiagnosticsEvents["typekube:request.start"];
      add = event.addHeader;
      add("TraceParent", "00-1-2-01");
      add("accept", "text/evil");
      for (const name of ["Authorization", "impersonate-user"]) {
        expect(() => event.addHeader(name, "x")).toThrow("InvalidArgument");
      }
    };
    channel("typekube:request.start").subscribe(listener);
    undo.push(() => channel("typekube:request.start").unsubscribe(listener));
    const seen: (string | undefined)[][] = [];
    await using server = await httpServer((request, response) => {
      seen.push([request.headers["traceparent"] as string, request.headers.accept]);
      response.writeHead(seen.length === 1 ? 429 : 200, { "retry-after": "0" });
      response.end("{}");
    });
    await using transport = createTransport({ server: server.url });
    await text(await transport.send(get({ headers: { accept: "application/json" } })));
    expect(seen).toEqual([
      ["00-1-2-01", "application/json"],
      ["00-1-2-01", "application/json"],
    ]);
    expect(() => add?.("x", "y")).toThrow("InvalidArgument");
  });

  test("counts a custom send as one attempt, and publishes once when observed twice", async () => {
    const received = listen();
    const options = { server: { origin: "memory:", basePath: "/here" } };
    const send = () => Promise.resolve({ status: 200, headers: marks, body: bytesOf("{}") });
    await intercept(send, [observe(options), observe(options)])(get({ path: "/version" }));
    expect(received.map(({ on }) => on)).toEqual(["start", "response", "end"]);
    expect(received[1]).toMatchObject({ attempt: 1, auditId: "a-1" });
    expect(received[0]?.["request"]).toMatchObject({ urlTemplate: "/here/version", verb: "get" });
  });
});

test("without subscribers it creates no identity, reads no clock and passes the request on unchanged", async () => {
  const made = vi.spyOn(identities, "requestIdentity");
  const clock = { now: vi.fn(() => 0), monotonic: vi.fn(() => 0), schedule: vi.fn(() => () => {}) };
  const seen: HttpRequest[] = [];
  const response = Promise.resolve({ status: 200, headers: {}, body: bytesOf() });
  const send = observe({ server: { origin: "x", basePath: "" }, clock })((request) => {
    seen.push(request);
    return response;
  });
  const request = get();
  expect(send(request)).toBe(response);
  expect(seen[0]).toBe(request);
  expect(made).not.toHaveBeenCalled();
  expect(clock.monotonic).not.toHaveBeenCalled();
  const received = listen(["end"]);
  await send(request);
  expect(received).toHaveLength(1);
  expect(made).toHaveBeenCalledOnce();
});

test("H10: an error contains the audit ID and the flow control of its response", async () => {
  const { errorFromResponse } = await import("../../src/internal.js");
  const error = await errorFromResponse(get(), {
    status: 429,
    headers: { ...marks, "content-type": "text/plain" },
    body: bytesOf("slow down"),
  });
  expect(error.request).toEqual({
    method: "GET",
    path: "/api",
    auditId: "a-1",
    flowSchemaUid: "fs-1",
    priorityLevelUid: "pl-1",
  });
});
