import type { RawRequest } from "@typekube/client";
import { failure } from "@typekube/test-support/failure";
import { ScriptedServer, statusResponse } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";

const ok = { body: "fine", type: "text/plain", headers: { "x-more": "1" } };

describe("raw requests", () => {
  it("send method, path, query, headers and body unchanged", async () => {
    const server = new ScriptedServer(ok);
    const response = await server.client().raw({
      method: "POST",
      path: "/apis/x.io/v1/things/a:b",
      query: { limit: 5, dryRun: "All", exclude: ["a", "b"], watch: false, none: undefined },
      headers: { Accept: "text/plain", "X-Trace": "7" },
      body: { a: 1 },
    });
    expect(server.log).toEqual([
      "POST /apis/x.io/v1/things/a:b?limit=5&dryRun=All&exclude=a&exclude=b",
    ]);
    expect(server.last.headers).toEqual({
      accept: "text/plain",
      "content-type": "application/json",
      "x-trace": "7",
    });
    expect(server.last.text).toBe('{"a":1}');
    expect([response.status, response.headers["x-more"], await response.text()]).toEqual([
      200,
      "1",
      "fine",
    ]);
  });

  it("send text and bytes unchanged, and GET without a body by default", async () => {
    const server = new ScriptedServer(ok);
    const client = server.client();
    await client.raw({ path: "/x" });
    expect([server.last.method, server.last.body, server.last.headers["content-type"]]).toEqual([
      "GET",
      undefined,
      undefined,
    ]);
    const headers = { "content-type": "application/yaml" };
    await client.raw({ method: "PUT", path: "/x", body: "a: 1", headers });
    expect([server.last.text, server.last.headers["content-type"]]).toEqual([
      "a: 1",
      "application/yaml",
    ]);
    await client.raw({ method: "PUT", path: "/x", body: Uint8Array.of(1, 2) });
    expect([...(server.last.body ?? [])]).toEqual([1, 2]);
  });

  it("stream their response; ending the iteration early cancels it", async () => {
    const server = new ScriptedServer({
      body: [Buffer.from("a"), Buffer.from("b")],
      type: "text/plain",
    });
    const response = await server.client().raw({ path: "/x", mode: "stream" });
    for await (const chunk of response.body) {
      expect(Buffer.from(chunk).toString()).toBe("a");
      break;
    }
    expect([server.last.mode, server.bodiesOpened, server.bodiesEnded]).toEqual(["stream", 1, 1]);
  });

  it("decode an object by its content type, and fail when it is not an object", async () => {
    const json = await new ScriptedServer({ body: { a: [1] } }).client().raw({ path: "/x" });
    expect(await json.object()).toEqual({ a: [1] });
    const yaml = new ScriptedServer({ body: "a: 1", type: "application/yaml" });
    expect(await (await yaml.client().raw({ path: "/x" })).object()).toEqual({ a: 1 });
    const text = await new ScriptedServer(ok).client().raw({ path: "/x" });
    expect((await failure(text.object())).code).toBe("Decode");
  });

  it("fail and warn like all other calls, and obey the limits", async () => {
    const refused = new ScriptedServer(statusResponse(403, "Forbidden"));
    expect((await failure(refused.client().raw({ path: "/x" }))).code).toBe("Forbidden");
    const received: string[] = [];
    const warned = new ScriptedServer({ ...ok, headers: { warning: '299 - "careful"' } });
    await warned.client().raw({ path: "/x", onWarning: (text) => void received.push(text) });
    expect(received).toEqual(["careful"]);
    const small = new ScriptedServer(ok).client({ defaults: { limits: { maxBodyBytes: 3 } } });
    expect((await failure((await small.raw({ path: "/x" })).text())).code).toBe("TooLarge");
  });

  it("obey signal, deadline and impersonation", async () => {
    const server = new ScriptedServer(ok);
    const client = server.client({ defaults: { timeoutMs: 7 } });
    await client.raw({ path: "/x", impersonate: { user: "jane" } });
    expect([server.last.timeoutMs, server.last.headers["impersonate-user"]]).toEqual([7, "jane"]);
    const reason = new Error("enough");
    await expect(client.raw({ path: "/x", signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
  });

  it.each([
    "https://elsewhere.example/x",
    "//elsewhere.example/x",
    "x",
    "",
    "/a/../b",
    "/a/./b",
    "/a/%2e%2E/b",
    "/..",
    "/a?b=c",
    "/a#b",
    "/a b",
    "/a\nb",
    "/é",
    "\\\\host\\x",
    "/a\\..\\b",
    7,
    undefined,
  ])("reject the path %j before anything is sent", async (path) => {
    const server = new ScriptedServer(ok);
    const error = await failure(server.client().raw({ path } as RawRequest));
    expect([error.code, server.sent.length]).toEqual(["InvalidArgument", 0]);
    expect(error.message).toContain("path: ");
  });

  it.each([
    "Authorization",
    "impersonate-user",
    "Host",
    "Content-Length",
    "Connection",
    ":path",
    "a b",
  ])("reject the header %j before anything is sent", async (name) => {
    const server = new ScriptedServer(ok);
    const error = await failure(server.client().raw({ path: "/x", headers: { [name]: "secret" } }));
    expect([error.code, server.sent.length]).toEqual(["InvalidArgument", 0]);
    expect(error.message).not.toContain("secret");
  });

  it("reject a header with a line break", async () => {
    const server = new ScriptedServer(ok);
    const headers = { "x-a": "b\r\nauthorization: c" };
    expect((await failure(server.client().raw({ path: "/x", headers }))).code).toBe(
      "InvalidArgument",
    );
    expect(server.sent).toHaveLength(0);
  });
});
