import { Pod } from "@typekube/api/core/v1";
import { endsInitialEvents, readerOf } from "@typekube/client/internal";
import { isExpired, isTooLargeResourceVersion, isTooManyRequests, KubeError } from "@typekube/core";
import { errorFromStatus } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import { ScriptedServer, statusResponse } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";
import { all } from "../helpers/all.js";

const pod = (name: string) => ({
  kind: "Pod",
  apiVersion: "v1",
  metadata: { name, resourceVersion: "1" },
});
const lines = (...events: readonly object[]) => ({
  body: events.map((event) => `${JSON.stringify(event)}\n`).join(""),
});
const event = (type: string, name: string) => ({ type, object: pod(name) });
const failureOf = (status: object) => ({
  type: "ERROR",
  object: { kind: "Status", apiVersion: "v1", status: "Failure", ...status },
});
const watch = (...events: readonly object[]) =>
  new ScriptedServer(lines(...events)).client().resource(Pod, "prod").watch();

describe("watch", () => {
  it("H29: yields the events in order and ends when the server ends it", async () => {
    const events = [
      event("ADDED", "a"),
      event("MODIFIED", "a"),
      event("BOOKMARK", ""),
      event("DELETED", "a"),
    ];
    expect(await all(watch(...events))).toEqual(events);
    expect(await all(watch())).toEqual([]);
  });

  it("notifies the reader when a response begins, with or without events, but not of a refusal", async () => {
    const received: string[] = [];
    const server = new ScriptedServer(
      lines(event("ADDED", "a")),
      lines(),
      statusResponse(500, "InternalError"),
    );
    const reader = readerOf(server.client(), Pod, { namespace: "prod" });
    const read = async () => {
      for await (const events of reader.watchBatches(
        {},
        { onResponse: () => received.push("answer") },
      )) {
        received.push(...events.map(({ type }) => type));
      }
    };
    await read();
    await read();
    await failure(read());
    expect(received).toEqual(["answer", "ADDED", "answer"]);
  });

  it("N9, N10, H29: throws the error of an ERROR, after the events before it", async () => {
    const tooLarge = {
      reason: "Timeout",
      code: 504,
      details: { causes: [{ reason: "ResourceVersionTooLarge" }] },
    };
    for (const [status, is] of [
      [{ reason: "Expired", code: 410 }, isExpired],
      [{ reason: "Gone", code: 410 }, isExpired],
      [{ code: 410 }, isExpired],
      [tooLarge, isTooLargeResourceVersion],
      [
        { reason: "TooManyRequests", code: 429, details: { retryAfterSeconds: 2 } },
        isTooManyRequests,
      ],
    ] as const) {
      const seen: unknown[] = [];
      const read = async () => {
        for await (const one of watch(
          event("ADDED", "a"),
          failureOf(status),
          event("ADDED", "b"),
        )) {
          seen.push(one);
        }
      };
      const error = await failure(read());
      expect(is(error)).toBe(true);
      expect(error.code).toBe(errorFromStatus({ status: "Failure", ...status }).code);
      expect(seen).toEqual([event("ADDED", "a")]);
    }
  });

  it("R1: an ERROR without a Status is a Decode error that names the kind received", async () => {
    const error = await failure(all(watch({ type: "ERROR", object: pod("a") })));
    expect(error.code).toBe("Decode");
    expect(error.message).toContain("Pod");
  });

  it("R33: a table is an error after the events before it; a reader of raw events receives it unchanged", async () => {
    const table = {
      type: "ADDED",
      object: { kind: "Table", apiVersion: "meta.k8s.io/v1", metadata: { resourceVersion: "2" } },
    };
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const one of watch(event("ADDED", "a"), table, event("ADDED", "b"))) {
        seen.push(one);
      }
    })();
    expect((await failure(reading)).message).toContain("Table");
    expect(seen).toEqual([event("ADDED", "a")]);
    for (const view of ["full", "metadata"] as const) {
      const server = new ScriptedServer(lines(event("ADDED", "a"), table, event("ADDED", "b")));
      const batches = await all(
        readerOf(server.client(), Pod, { namespace: "prod", view }).watchBatches(
          {},
          { takesTables: true },
        ),
      );
      expect(batches.flat()).toMatchObject([{ type: "ADDED" }, table, { type: "ADDED" }]);
    }
  });

  it("R1 [+]: accepts an ERROR whose Status has no apiVersion", async () => {
    const error = { type: "ERROR", object: { kind: "Status", code: 410 } };
    expect(isExpired(await failure(all(watch(error))))).toBe(true);
  });

  it("WAT3: skips an unknown event type with a warning, for the call or the client", async () => {
    const server = new ScriptedServer(lines(event("FOO", "a"), event("ADDED", "b")));
    const received: string[] = [];
    const onWarning = (text: string) => void received.push(text);
    const client = server.client();
    expect(await all(client.resource(Pod, "prod").watch())).toEqual([event("ADDED", "b")]);
    await all(client.resource(Pod, "prod").watch({ onWarning }));
    await all(client.with({ onWarning }).resource(Pod, "prod").watch());
    expect(received).toEqual(Array(2).fill('skipped a watch event of the unknown type "FOO"'));
  });

  it("N11, WAT15: only the annotation with the value true ends the initial events", () => {
    const bookmark = (annotations?: Record<string, string>) => ({
      type: "BOOKMARK" as const,
      object: { kind: "Pod", apiVersion: "v1", metadata: { resourceVersion: "1", annotations } },
    });
    expect(endsInitialEvents(bookmark({ "k8s.io/initial-events-end": "true" }))).toBe(true);
    expect(endsInitialEvents(bookmark({ "k8s.io/initial-events-end": "false" }))).toBe(false);
    expect(endsInitialEvents(bookmark())).toBe(false);
  });

  it.each([
    [statusResponse(403, "Forbidden"), "Forbidden", "Forbidden it is"],
    [{ status: 403, body: "" }, "Forbidden", ""],
    [{ status: 401, body: "garbage" }, "Unauthorized", ""],
    [statusResponse(410, "Expired"), "Expired", "Expired it is"],
    [{ status: 500, type: "text/plain", body: "x" }, "InternalError", ""],
  ])("H27: a watch that is refused fails like any call (%#)", async (response, code, message) => {
    const error = await failure(
      all(new ScriptedServer(response).client().resource(Pod, "prod").watch()),
    );
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });

  it("H27: throws a network error unchanged", async () => {
    const reset = new KubeError("ConnectionReset", "x", { request: { method: "GET", path: "/" } });
    await expect(
      all(new ScriptedServer(reset).client().resource(Pod, "prod").watch()),
    ).rejects.toBe(reset);
  });

  it("N8: a truncated event is a Decode error that names its request", async () => {
    const server = new ScriptedServer({ body: '{"type":"ADDED","obj' });
    const error = await failure(all(server.client().resource(Pod, "prod").watch()));
    expect(error).toMatchObject({
      code: "Decode",
      request: { method: "GET", path: "/api/v1/namespaces/prod/pods" },
    });
  });
});
