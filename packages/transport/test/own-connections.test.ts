import { readdir, readFile } from "node:fs/promises";
import { get, text } from "@typekube/test-support/calls";
import { fixture } from "@typekube/test-support/servers";
import { Dispatcher, getGlobalDispatcher, setGlobalDispatcher } from "undici/index.js";
import { describe, expect, test } from "vitest";
import { bearerToken, createTransport, type TransportOptions } from "../src/index.js";
import { http2Server } from "./helpers/http2-server.js";

const tls = { ca: fixture("ca.pem") };

/** Responds with the client's port and its authorization header. */
function echo() {
  return http2Server((request, response) =>
    response.end(`${request.socket.remotePort} ${request.headers.authorization}`),
  );
}

describe("ownership of connections", () => {
  test.each([false, true])(
    "S6: transports share no connections, even with equal options, and close only their own (HTTP/2: %s)",
    async (http2) => {
      await using server = await echo();
      const base: TransportOptions = { server: server.url, tls, http2 };
      const variants: TransportOptions[] = [
        { ...base, auth: bearerToken("one") },
        { ...base, auth: bearerToken("two") },
        base,
        base,
        { ...base, tls: { ...tls, serverName: "localhost" } },
        { ...base, disableCompression: true },
      ];
      const transports = variants.map((options) => createTransport(options));
      const responses: string[] = [];
      for (const transport of [...transports, ...transports]) {
        responses.push(await text(await transport.send(get())));
      }
      // The second round reuses the connections of the first.
      const firstRound = responses.slice(0, variants.length);
      expect(new Set(firstRound.map((response) => response.split(" ")[0])).size).toBe(
        variants.length,
      );
      expect(responses.map((response) => response.split(" ")[2] ?? "")).toEqual(
        [...variants, ...variants].map((_, i) =>
          i % variants.length === 0 ? "one" : i % variants.length === 1 ? "two" : "",
        ),
      );
      await transports[2]?.close();
      expect(await text(await (transports[3] as (typeof transports)[0]).send(get()))).toContain(
        firstRound[3] ?? "",
      );
      await Promise.all(transports.map((transport) => transport.close()));
      await server.closed(server.protocols.length);
    },
  );

  test("N5: undici's global dispatcher does not affect us, and we do not use fetch", async () => {
    await using server = await echo();
    const before = getGlobalDispatcher();
    class Broken extends Dispatcher {
      override dispatch(): boolean {
        throw new Error("not for you");
      }
    }
    setGlobalDispatcher(new Broken());
    try {
      await using transport = createTransport({ server: server.url, tls });
      expect((await transport.send(get())).status).toBe(200);
    } finally {
      setGlobalDispatcher(before);
    }
    const sources = new URL("../src/", import.meta.url);
    const names = (await readdir(sources, { recursive: true })).filter((name) =>
      name.endsWith(".ts"),
    );
    expect(names.length).toBeGreaterThan(50);
    for (const name of names) {
      expect(await readFile(new URL(name, sources), "utf8"), name).not.toMatch(/\bfetch\(/);
    }
    const manifest = await readFile(new URL("../package.json", import.meta.url), "utf8");
    // A dispatcher and a handler of different versions are incompatible, so the version is exact.
    expect(JSON.parse(manifest).dependencies.undici).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
