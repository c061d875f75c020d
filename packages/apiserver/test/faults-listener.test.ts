import { once } from "node:events";
import http2 from "node:http2";
import https from "node:https";
import { ConfigMap } from "@typekube/api/core/v1";
import type { KubeError } from "@typekube/core";
import { configMaps, createConfigMaps } from "@typekube/test-support/api-calls";
import { connect } from "typekube";
import { expect, test } from "vitest";
import { type Listener, startApiServer } from "../src/index.js";

test("ES25: an expired token gets 401, its replacement is accepted", async () => {
  await using api = await startApiServer();
  const listener = await api.listen();
  await using client = await connect(listener.connectOptions());
  const maps = client.resource(ConfigMap, "default");
  expect((await maps.list()).items).toEqual([]);
  const before = listener.token;
  const after = listener.renewToken();
  expect([after === before, listener.token === after]).toEqual([false, true]);
  const error: KubeError = await maps.list().then(
    () => expect.fail("it was let in"),
    (reason) => reason,
  );
  expect(error.code).toBe("Unauthorized");
  expect(error.message).not.toContain(before);
  await using again = await connect(listener.connectOptions());
  expect((await again.resource(ConfigMap, "default").list()).items).toEqual([]);
});

test("ES25: a client and its informer continue after the server's certificate was renewed", async () => {
  await using api = await startApiServer();
  const listener = await api.listen();
  await using client = await connect(listener.connectOptions());
  await using maps = client.informer(ConfigMap, { namespace: "default" });
  await maps.synced();
  listener.renewCertificate();
  await createConfigMaps(api, "a");
  expect((await client.resource(ConfigMap, "default").get("a")).metadata.name).toBe("a");
  await maps.caughtUpTo(api.resourceVersion);
  expect(maps.get("default/a")).toBeDefined();
});

test("cuts responses and resets connections over TLS too", async () => {
  await using api = await startApiServer();
  const listener = await api.listen();
  await using client = await connect(listener.connectOptions());
  const maps = client.resource(ConfigMap, "default");
  const codes: string[] = [];
  for (const fault of [{ reset: "before" }, { cutAfterBytes: 0 }, { cutAfterBytes: 9 }] as const) {
    api.fault(fault);
    // Writes are not retried.
    const write = maps.create({ metadata: { generateName: "a-" } });
    await write.catch(({ code }: KubeError) => codes.push(code));
  }
  expect(codes).toEqual(["ConnectionReset", "ConnectionClosed", "ConnectionClosed"]);
  expect((await maps.list()).items).toHaveLength(2);
});

/** Reads a response until its connection breaks. */
const arriving = {
  async "HTTP/1.1"({ server, certificateAuthority: ca, token }: Listener, path: string) {
    const headers = { authorization: `Bearer ${token}` };
    const request = https.get(`${server}${path}`, { ca, headers, agent: false });
    const [response] = await once(request, "response");
    return textUntilBroken(response);
  },
  async "HTTP/2"({ server, certificateAuthority: ca, token }: Listener, path: string) {
    const session = http2.connect(server, { ca });
    try {
      const stream = session.request({ ":path": path, authorization: `Bearer ${token}` });
      return await textUntilBroken(stream);
    } finally {
      session.destroy();
    }
  },
};

async function textUntilBroken(body: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  try {
    for await (const chunk of body) {
      text += chunk.toString();
    }
  } catch {
    return text;
  }
  return expect.fail("the answer came to its end");
}

test.each(["HTTP/1.1", "HTTP/2"] as const)(
  "ES25: the bytes before a cut arrive over %s, including half an event",
  async (protocol) => {
    await using api = await startApiServer();
    const listener = await api.listen();
    api.fault({ verb: "list", cutAfterBytes: 24 });
    expect(await arriving[protocol](listener, configMaps)).toBe('{"kind":"ConfigMapList",');
    api.fault({ event: "half" });
    const { resourceVersion } = api;
    const path = `${configMaps}?watch=true&resourceVersion=${resourceVersion}`;
    const half = arriving[protocol](listener, path);
    await expect.poll(() => api.openWatches).toBe(1);
    await createConfigMaps(api, "a");
    expect(await half).toMatch(/^\{"type":"ADDED","object":\{"kind":"ConfigMap"/);
  },
);
