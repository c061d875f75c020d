import type { RequestListener } from "node:http";
import type { TLSSocket } from "node:tls";
import { inspect } from "node:util";
import { failure, get, text } from "@typekube/test-support/calls";
import { authority } from "@typekube/test-support/certificates";
import { fixture, httpServer, httpsServer, rawServer } from "@typekube/test-support/servers";
import { describe, expect, test } from "vitest";
import { createTransport, type TlsOptions } from "../../src/index.js";

const ca = fixture("ca.pem");

async function callOf(server: string, tls: TlsOptions = {}) {
  await using transport = createTransport({ server, tls });
  return await text(await transport.send(get({ method: "POST" })));
}

describe("TLS", () => {
  test("trusts a server signed by the CA, and shares connections", async () => {
    await using server = await httpsServer("server", (_request, response) => response.end("{}"));
    await using transport = createTransport({ server: server.url, tls: { ca }, connections: 4 });
    await Promise.all(Array.from({ length: 50 }, async () => text(await transport.send(get()))));
    expect(server.connections).toBeLessThanOrEqual(4);
  });

  test("trusts a given CA as it is: an intermediate authority, or a server's own certificate", async () => {
    await using root = await authority();
    const below = await root.intermediate();
    const { cert, key } = await below.server();
    const reply: RequestListener = (_request, response) => response.end("{}");
    await using server = await httpsServer("server", reply, { cert: cert + below.ca, key });
    for (const trusted of [root.ca, below.ca, cert, `${ca}${below.ca}`]) {
      expect(await callOf(server.url, { ca: trusted })).toBe("{}");
    }
    expect((await failure(callOf(server.url, { ca }))).code).toBe("Tls");
    // Signed by the same authority, but not the given certificate.
    const other = await below.server();
    expect((await failure(callOf(server.url, { ca: other.cert }))).code).toBe("Tls");
  });

  test("uses every readable certificate of a bundle, whatever is in between", async () => {
    await using other = await authority();
    await using server = await httpsServer("server", (_request, response) => response.end("{}"));
    const damaged = other.ca.replace(/\n[A-Za-z0-9+/]{20}/, "\n");
    for (const bundle of [
      `${other.ca}${ca}`,
      `${damaged}${ca}`,
      `${other.ca}${damaged}${ca}`,
      `# ours\n${other.ca.trimEnd()}${ca}`,
      `\ufeff${ca}${damaged}`,
      `${other.ca}${ca.replaceAll("CERTIFICATE", "TRUSTED CERTIFICATE")}`,
      `${fixture("server.key.pem")}${ca}`,
    ]) {
      expect(await callOf(server.url, { ca: bundle })).toBe("{}");
      expect(await callOf(server.url, { ca: Buffer.from(bundle) })).toBe("{}");
    }
    expect((await failure(callOf(server.url, { ca: `${other.ca}${damaged}` }))).code).toBe("Tls");
    expect((await failure(callOf(server.url, { ca: damaged }))).code).toBe("Config");
  });

  test("gives a hint for a missing CA, a wrong CA, and a server with only old TLS versions", async () => {
    await using root = await authority();
    const below = await root.intermediate();
    const { cert, key } = await below.server();
    const reply: RequestListener = (_request, response) => response.end("{}");
    await using leafOnly = await httpsServer("server", reply, { cert, key });
    const hintOf = async (url: string, tls?: TlsOptions) => (await failure(callOf(url, tls))).hint;
    expect(await hintOf(leafOnly.url)).toMatch(/^no CA is set, and Node trusts only public CAs/);
    expect(await hintOf(leafOnly.url, { ca: root.ca })).toBe(
      "the CA given did not sign this server's certificate",
    );
    await using old = await httpsServer("server", reply, {
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0",
    });
    expect(await hintOf(old.url, { ca })).toBe(
      "the server does not support TLS 1.2 or later; older versions are not secure",
    );
  });

  test("a reset after successful http calls does not suggest that the server speaks only https", async () => {
    let calls = 0;
    await using server = await rawServer((socket) => {
      socket.on("data", () => {
        calls += 1;
        if (calls > 3) {
          socket.resetAndDestroy();
        } else {
          socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
        }
      });
    });
    await using transport = createTransport({ server: server.url, maxRetries: 0 });
    const post = get({ method: "POST" });
    for (let call = 0; call < 3; call += 1) {
      expect(await text(await transport.send(post))).toBe("{}");
    }
    const late = await failure(transport.send(post));
    expect([late.code, late.hint]).toEqual(["ConnectionReset", undefined]);
    await using fresh = createTransport({ server: server.url, maxRetries: 0 });
    expect((await failure(fresh.send(post))).hint).toContain("speak only https");
  });

  test("a missing CA is a Tls error that asks for a CA", async () => {
    await using server = await httpsServer("server", (_request, response) => response.end("{}"));
    const error = await failure(callOf(server.url));
    expect(error.code).toBe("Tls");
    expect(error.message).toContain(`127.0.0.1:${server.port}`);
    expect(error.message).toContain("CA");
  });

  test('an expired certificate is a Tls error whose message contains "expired"', async () => {
    await using server = await httpsServer("expired", (_request, response) => response.end("{}"));
    const error = await failure(callOf(server.url, { ca }));
    expect(error.code).toBe("Tls");
    expect(error.message).toContain("expired");
  });

  test("a certificate for another name is a Tls error; serverName solves it", async () => {
    await using server = await httpsServer("other-name", (_request, response) =>
      response.end("{}"),
    );
    const error = await failure(callOf(server.url, { ca }));
    expect(error.code).toBe("Tls");
    expect(error.message).toContain("set the server name for TLS");
    expect(await callOf(server.url, { ca, serverName: "elsewhere.test" })).toBe("{}");
  });

  test("sends the server name without a trailing dot, and none for an address; verifies both", async () => {
    await using server = await httpsServer("server", (request, response) =>
      response.end(String((request.socket as TLSSocket).servername)),
    );
    const requested = (serverName: string) => callOf(server.url, { ca, serverName });
    expect(await requested("localhost.")).toBe("localhost");
    expect(await requested("127.0.0.1")).toBe("false");
    expect((await failure(requested("127.0.0.2"))).code).toBe("Tls");
    expect((await failure(requested("elsewhere.test."))).code).toBe("Tls");
  });

  test("an http server at an https address is a Tls error that suggests http", async () => {
    await using server = await httpServer((_request, response) => response.end("{}"));
    const error = await failure(callOf(server.url.replace("http:", "https:"), { ca }));
    expect(error.code).toBe("Tls");
    expect(error.message).toContain("is it an http:// address?");
  });

  test("an https server at an http address is a Tls error when it sends an alert", async () => {
    const alert = Buffer.from([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x16]);
    await using server = await rawServer((socket) => socket.on("data", () => socket.write(alert)));
    const error = await failure(callOf(server.url));
    expect(error.code).toBe("Tls");
    expect(error.message).toContain("https://");
  });

  test("insecureSkipVerify accepts any certificate, and is rejected together with a CA", async () => {
    await using server = await httpsServer("expired", (_request, response) => response.end("{}"));
    expect(await callOf(server.url, { insecureSkipVerify: true })).toBe("{}");
    const error = await failure(callOf(server.url, { insecureSkipVerify: true, ca }));
    expect(error.code).toBe("Config");
  });

  test("presents a client certificate; a server that requires one and gets none is an error", async () => {
    await using server = await httpsServer(
      "server",
      (request, response) => {
        const socket = request.socket as TLSSocket;
        response.end(socket.getPeerCertificate().subject.CN);
      },
      { requestCert: true, ca },
    );
    const tls = { ca, cert: fixture("client.pem"), key: Buffer.from(fixture("client.key.pem")) };
    expect(await callOf(server.url, tls)).toBe("tester");
    // With TLS 1.3 the client learns this only after its handshake.
    const error = await failure(callOf(server.url, { ca }));
    expect(["ConnectionReset", "Tls"]).toContain(error.code);
  });

  test("H40: unusable material is a Config error that does not show the material", async () => {
    for (const tls of [
      { ca, cert: fixture("client.pem"), key: "canary" },
      { ca: "canary" },
      { ca, cert: fixture("client.pem"), key: fixture("server.key.pem") },
      { ca, cert: "canary" },
    ] satisfies TlsOptions[]) {
      const error = await failure(callOf("https://127.0.0.1:1", tls));
      expect(error.code).toBe("Config");
      expect(inspect(error)).not.toContain("canary");
    }
  });
});
