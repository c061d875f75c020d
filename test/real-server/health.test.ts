import { startApiServer } from "@typekube/apiserver";
import { collectBytes, type HttpMethod, type HttpSend } from "@typekube/core/internal";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { type RealServer, startRealServer } from "@typekube/test-support/real-server/real-server";
import { bearerToken, createTransport, type Transport } from "@typekube/transport";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const hasReal = (await findAssets()) !== undefined;
const drainMs = 60_000;

/** Returns the response of a health endpoint. */
async function ask(send: HttpSend, path: string, method: HttpMethod = "GET") {
  const { status, headers, body } = await send({ method, path, headers: {}, mode: "call" });
  const text = Buffer.from(await collectBytes(body, 64 * 1024, "maxBodyBytes")).toString();
  const { "content-type": type, "x-content-type-options": sniffing } = headers;
  return { status, type, sniffing, text };
}

const questions = [
  ...["/readyz", "/livez", "/healthz"].flatMap((path) => [path, `${path}?verbose`]),
  "/readyz?verbose&exclude=etcd&exclude=zz&exclude=nothing&exclude=etcd",
  "/readyz?verbose=false&exclude=",
  "/livez?verbose&exclude=shutdown",
  "/readyz?exclude=shutdown",
  "/readyz?exclude=nothing",
  ...["ping", "etcd", "etcd-readiness", "informer-sync", "shutdown", "nothing"].flatMap((check) => [
    `/readyz/${check}`,
    `/livez/${check}?verbose&exclude=${check}`,
  ]),
  "/readyz/poststarthook",
  "/readyz/poststarthook/rbac/bootstrap-roles",
  "/livez/loopback-serving-certificate",
  "/readyz/loopback-serving-certificate",
  "/readyz/",
];

describe.runIf(hasReal)("health endpoints respond as on a real server", () => {
  let server: RealServer;
  let real: Transport;

  beforeAll(async () => {
    const flags = [`--shutdown-delay-duration=${drainMs / 1_000}s`];
    server = (await startRealServer({ flags })) as RealServer;
    const { server: url, ca, token } = server.connectOptions();
    real = createTransport({ server: url, tls: { ca }, auth: bearerToken(token) });
  });
  afterAll(async () => {
    await real?.close();
    await server?.close();
  });

  test("ES19, HLT5, HLT6: with all checks, with excluded ones, for one check, and for an unknown one", async () => {
    await using api = await startApiServer();
    for (const path of questions) {
      expect([path, await ask(api.send, path)]).toEqual([path, await ask(real.send, path)]);
    }
    for (const method of ["POST", "PUT", "DELETE"] as const) {
      expect(await ask(api.send, "/livez", method)).toEqual(await ask(real.send, "/livez", method));
    }
  });

  test("HLT7: a server that shuts down is live but not ready", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    const closing = api.close({ delayMs: drainMs });
    server.drain();
    await expect.poll(async () => (await ask(real.send, "/readyz")).status).toBe(500);
    for (const path of questions) {
      expect([path, await ask(api.send, path)]).toEqual([path, await ask(real.send, path)]);
    }
    await api.clock.advance(drainMs);
    await closing;
  });
});
