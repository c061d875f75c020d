import { deferred, failure, get, text } from "@typekube/test-support/calls";
import { connectProxy } from "@typekube/test-support/proxy";
import { fixture, httpServer } from "@typekube/test-support/servers";
import { describe, expect, test } from "vitest";
import { createTransport } from "../../src/index.js";
import { http2Server, relay } from "../helpers/http2-server.js";

const tls = { ca: fixture("ca.pem") };

describe("TLS that breaks on an established connection", () => {
  test.each([true, false])("ends a stream that is being read (HTTP/2: %s)", async (http2) => {
    await using server = await http2Server((_request, response) => response.write("half"));
    await using line = await relay(server.port);
    const url = `https://127.0.0.1:${line.port}`;
    await using transport = createTransport({ server: url, tls, http2 });
    const { body } = await transport.send(get({ mode: "stream" }));
    const bytes = body[Symbol.asyncIterator]();
    await bytes.next();
    line.spoil();
    const error = await failure(bytes.next());
    expect(error.code).toBe("ConnectionReset");
    expect(error.message).toContain("after 4 bytes (ERR_SSL_");
    await line.closed(1);
  });

  test.each([true, false])(
    "is a reset connection, not a certificate problem (HTTP/2: %s)",
    async (http2) => {
      let requested = deferred();
      let responses = false;
      await using server = await http2Server((_request, response) => {
        if (responses) {
          response.end("{}");
        }
        requested.resolve();
      });
      await using line = await relay(server.port);
      const url = `https://127.0.0.1:${line.port}`;
      await using transport = createTransport({ server: url, tls, http2 });
      const write = failure(transport.send(get({ method: "POST" })));
      await requested.promise;
      line.spoil();
      const error = await write;
      expect(error.code).toBe("ConnectionReset");
      expect(error.message).toContain("before it responded (ERR_SSL_");
      requested = deferred();
      const read = transport.send(get());
      await requested.promise;
      responses = true;
      line.spoil();
      expect(await text(await read)).toBe("{}");
    },
  );

  test.each(["http", "https"])(
    "of a proxy, in front of an %s server: ends the stream",
    async (scheme) => {
      await using secure = await http2Server((_request, response) => response.write("half"));
      await using plain = await httpServer((_request, response) => response.write("half"));
      await using proxy = await connectProxy({ secure: true });
      await using line = await relay(proxy.port);
      await using transport = createTransport({
        server: scheme === "https" ? secure.url : plain.url,
        tls,
        http2: false,
        proxy: `https://127.0.0.1:${line.port}`,
      });
      const { body } = await transport.send(get({ mode: "stream" }));
      const bytes = body[Symbol.asyncIterator]();
      await bytes.next();
      line.spoil();
      expect((await failure(bytes.next())).code).toBe("ConnectionReset");
      await line.closed(1);
    },
  );
});
