import { ConfigMap } from "@typekube/api/core/v1";
import type { KubeError } from "@typekube/core";
import { connect } from "typekube";
import { expect, test } from "vitest";
import { startApiServer } from "../src/index.js";
import { createConfigMaps } from "./harness.js";

test("ES25: a token that expires is 401; the one in its place is let in", async () => {
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

test("ES25: after the certificate of the server was renewed, a client and its informer go on", async () => {
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

test("answers are cut and connections reset over TLS, too", async () => {
  await using api = await startApiServer();
  const listener = await api.listen();
  await using client = await connect(listener.connectOptions());
  const maps = client.resource(ConfigMap, "default");
  const codes: string[] = [];
  for (const fault of [{ reset: "before" }, { cutAfterBytes: 0 }, { cutAfterBytes: 9 }] as const) {
    api.fault(fault);
    // A write is not repeated.
    const write = maps.create({ metadata: { generateName: "a-" } });
    await write.catch(({ code }: KubeError) => codes.push(code));
  }
  expect(codes).toEqual(["ConnectionReset", "ConnectionClosed", "ConnectionClosed"]);
  expect((await maps.list()).items).toHaveLength(2);
});
