import { deferred, failure, get, text } from "@typekube/test-support/calls";
import { httpServer } from "@typekube/test-support/servers";
import { describe, expect, test, vi } from "vitest";
import { createTransport } from "../src/index.js";
import { ensureOk } from "../src/internal.js";

const watch = get({ path: "/api/v1/pods?watch=1", mode: "stream" });

describe("streams", () => {
  // First in this file: a timer that the library started earlier would run in real time.
  test("N4: no timer of the HTTP library cuts a stream that is silent for an hour", async () => {
    const more = deferred();
    await using server = await httpServer(async (_request, response) => {
      response.write("a");
      await more.promise;
      response.end("b");
    });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
    try {
      await using transport = createTransport({ server: server.url });
      const { body } = await transport.send(watch);
      const iterator = body[Symbol.asyncIterator]();
      expect(String(Buffer.from((await iterator.next()).value ?? []))).toBe("a");
      await vi.advanceTimersByTimeAsync(3_600_000);
      more.resolve();
      expect(String(Buffer.from((await iterator.next()).value ?? []))).toBe("b");
    } finally {
      vi.useRealTimers();
    }
  });

  test("H30: returns the body of a 2xx; an error Status becomes its error, an error text a generic one", async () => {
    const responses = [
      { status: 200, type: "application/json", body: '{"type":"ADDED"}\n' },
      {
        status: 403,
        type: "application/json",
        body: '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"not yours","reason":"Forbidden","code":403}',
      },
      { status: 500, type: "text/plain", body: "etcd is on fire" },
    ];
    await using server = await httpServer((_request, response) => {
      const { status = 200, type, body } = responses.shift() ?? {};
      response.writeHead(status, { "content-type": String(type) }).end(body);
    });
    await using transport = createTransport({ server: server.url });
    const send = async () => ensureOk(watch, await transport.send(watch));
    const ok = await transport.send(watch);
    await ensureOk(watch, ok);
    expect(await text(ok)).toBe('{"type":"ADDED"}\n');
    const refused = await failure(send());
    expect(refused).toMatchObject({ code: "Forbidden", httpStatus: 403 });
    expect(refused.message).toContain("not yours");
    const broken = await failure(send());
    expect(broken).toMatchObject({ code: "InternalError", httpStatus: 500 });
    expect(`${broken.message} ${String(broken.cause)}`).toContain("etcd is on fire");
  });
});
