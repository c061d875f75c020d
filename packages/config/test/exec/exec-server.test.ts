import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { KubeError } from "@typekube/core";
import { collectBytes } from "@typekube/core/internal";
import { authority } from "@typekube/test-support/certificates";
import { folder } from "@typekube/test-support/kubeconfig-files";
import { manualClock } from "@typekube/test-support/manual-clock";
import { createTransport } from "@typekube/transport";
import { describe, expect, test } from "vitest";
import { direct } from "../helpers/exec.js";
import { fakePlugin } from "../helpers/fake-plugin.js";

describe("against a server", () => {
  /** Responds with 401 unless the token or certificate is accepted; the body names it. */
  async function strictServer(options: { accepts: (who: string) => boolean; tls: object }) {
    const seen: string[] = [];
    const open: (() => void)[] = [];
    let connections = 0;
    const server = createHttpsServer(options.tls, (request, response) => {
      const name = (request.socket as TLSSocket).getPeerCertificate().subject?.CN;
      const who = request.headers.authorization ?? (name === undefined ? "nobody" : String(name));
      seen.push(who);
      response.statusCode = options.accepts(who) ? 200 : 401;
      if (request.url === "/watch") {
        response.write(who);
        open.push(() => response.end("end"));
      } else {
        response.end(who);
      }
    });
    server.on("secureConnection", () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return {
      url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      seen,
      open,
      connections: () => connections,
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }
  const request = (mode: "call" | "stream" = "call") =>
    ({ method: "POST", path: mode === "call" ? "/" : "/watch", headers: {}, mode }) as const;
  const text = async (body: AsyncIterable<Uint8Array>) =>
    Buffer.from(await collectBytes(body, 1e6, "maxBodyBytes")).toString();

  test("X6, N22: a hundred calls with a 401 share one run, are retried once each, and connections stay", async () => {
    await using dir = await folder();
    await using signer = await authority();
    const plugin = await fakePlugin(dir);
    await plugin.plan({ status: { token: "old" } }, { status: { token: "new" } });
    let good = "Bearer old";
    await using server = await strictServer({
      accepts: (who) => who === good,
      tls: await signer.server(),
    });
    const auth = direct(plugin);
    await using transport = createTransport({
      server: server.url,
      tls: { ca: signer.ca },
      auth,
      connections: 4,
    });
    expect((await transport.send(request())).status).toBe(200);
    good = "Bearer new";
    const responses = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const response = await transport.send(request());
        return [response.status, await text(response.body)];
      }),
    );
    expect(new Set(responses.map(String))).toEqual(new Set(["200,Bearer new"]));
    expect(await plugin.runs()).toHaveLength(2);
    expect(server.connections()).toBeLessThanOrEqual(5);
    // A 401 for the new token too is returned to the caller.
    good = "nobody";
    expect((await transport.send(request())).status).toBe(401);
  });

  test("X8: calls use a new certificate on new connections; streams with the old one end", async () => {
    await using dir = await folder();
    await using signer = await authority();
    const [first, second] = await Promise.all([signer.client("first"), signer.client("second")]);
    const plugin = await fakePlugin(dir);
    const clock = manualClock();
    const status = (pair: { cert: string; key: string }, ms: number) => ({
      status: {
        clientCertificateData: pair.cert,
        clientKeyData: pair.key,
        expirationTimestamp: new Date(clock.now() + ms).toISOString(),
      },
    });
    await plugin.plan(status(first, 100_000), status(first, 200_000), status(second, 1e9));
    const tls = {
      ...(await signer.server()),
      ca: signer.ca,
      requestCert: true,
      rejectUnauthorized: false,
    };
    await using server = await strictServer({ accepts: () => true, tls });
    const auth = direct(plugin, {}, { clock });
    await using transport = createTransport({
      server: server.url,
      tls: { ca: signer.ca },
      auth,
      clock,
    });
    const call = async () => text((await transport.send(request())).body);
    expect(await call()).toBe("first");
    const watch = (await transport.send(request("stream"))).body[Symbol.asyncIterator]();
    await watch.next();
    // The same certificate changes nothing.
    clock.advance(100_000);
    const before = server.connections();
    expect(await call()).toBe("first");
    expect(server.connections()).toBe(before);
    clock.advance(100_000);
    expect(await call()).toBe("second");
    const error = await watch.next().catch((reason: KubeError) => reason);
    expect(error).toBeInstanceOf(KubeError);
    expect(error).toMatchObject({ code: "ConnectionClosed" });
    expect(await plugin.runs()).toHaveLength(3);
  });
});
