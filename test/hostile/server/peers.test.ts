import net from "node:net";
import { inspect } from "node:util";
import { codecs } from "@typekube/core/internal";
import { failure, get, text } from "@typekube/test-support/calls";
import { onRequest, rawServer } from "@typekube/test-support/servers";
import { describe, expect, test } from "vitest";
import { bearerToken, createTransport } from "../../../packages/transport/src/index.js";
import { ensureOk } from "../../../packages/transport/src/internal.js";

/** Starts a peer that responds to every request with these bytes, and then ends, keeps or resets the connection. */
function responding(bytes: string, then: "end" | "keep" | "reset" = "keep") {
  return rawServer((socket) =>
    onRequest(socket, () => {
      const after = {
        end: () => socket.end(),
        keep: () => {},
        reset: () => socket.resetAndDestroy(),
      };
      if (bytes === "") {
        after[then]();
      } else {
        socket.write(bytes, "latin1", after[then]);
      }
    }),
  );
}

/** A POST is not retried, so each case occurs once. */
const post = get({ method: "POST", body: Buffer.from("{}") });

async function failureOf(server: string, request = post) {
  await using transport = createTransport({ server });
  return await failure(transport.send(request).then(text));
}

describe("hostile peers", () => {
  test("H18: connection refused: ConnectionRefused names the address and a way out", async () => {
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as net.AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const error = await failureOf(`http://127.0.0.1:${port}`, get({ path: "/api?secret=hush" }));
    expect(error.code).toBe("ConnectionRefused");
    expect(error.message).toContain(`127.0.0.1:${port}`);
    expect(error.message).toContain("is the API server running");
    expect(error.message).not.toContain("hush");
    expect(error.cause).toMatchObject({ code: "ECONNREFUSED" });
  });

  test("unknown host name: HostNotFound", async () => {
    const error = await failureOf("http://no-such-host.invalid:6443");
    expect(error.code).toBe("HostNotFound");
    expect(error.message).toContain("no-such-host.invalid:6443");
  });

  test("reset before the headers: ConnectionReset", async () => {
    await using server = await responding("", "reset");
    const error = await failureOf(server.url);
    expect(error.code).toBe("ConnectionReset");
    expect(error.message).toContain("before it responded");
  });

  test("closed before the headers: ConnectionReset", async () => {
    await using server = await responding("", "end");
    expect((await failureOf(server.url)).code).toBe("ConnectionReset");
  });

  test("reset in the body: ConnectionReset after the bytes that arrived", async () => {
    const bytes = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n0123456789";
    await using server = await rawServer((socket) => onRequest(socket, () => socket.write(bytes)));
    // The reset waits until the first bytes were read, because the system may drop unread bytes.
    await using resetting = await rawServer((socket) => {
      const upstream = net.connect(server.port, "127.0.0.1");
      upstream.pipe(socket);
      socket.on("data", (chunk) =>
        chunk.toString() === "now" ? socket.resetAndDestroy() : upstream.write(chunk),
      );
      socket.on("close", () => upstream.destroy());
    });
    await using transport = createTransport({ server: resetting.url });
    const response = await transport.send(post);
    const iterator = response.body[Symbol.asyncIterator]();
    expect(Buffer.from((await iterator.next()).value as Uint8Array).toString()).toBe("0123456789");
    await resetting[Symbol.asyncDispose]();
    const error = await failure(iterator.next());
    expect(["ConnectionClosed", "ConnectionReset"]).toContain(error.code);
    expect(error.message).toContain("the body ended after 10 bytes of 100");
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test("a body shorter than its content-length: ConnectionClosed with both numbers", async () => {
    await using server = await responding(
      "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n0123456789",
      "end",
    );
    const error = await failureOf(server.url);
    expect(error.code).toBe("ConnectionClosed");
    expect(error.message).toContain("the body ended after 10 bytes of 100");
  });

  test("a truncated chunked body: delivers what arrived, then ConnectionClosed", async () => {
    await using server = await responding(
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n",
      "end",
    );
    await using transport = createTransport({ server: server.url });
    const response = await transport.send(get({ mode: "stream" }));
    let seen = "";
    const error = await failure(
      (async () => {
        for await (const chunk of response.body) {
          seen += Buffer.from(chunk).toString();
        }
      })(),
    );
    expect(seen).toBe("abc");
    expect(error.code).toBe("ConnectionClosed");
    expect(error.message).toContain("after 3 bytes");
  });

  test("broken chunk sizes in a body: Decode", async () => {
    await using server = await responding(
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n",
    );
    expect((await failureOf(server.url)).code).toBe("Decode");
  });

  test.each([
    ["a body", "transfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\ncanary"],
    ["headers", "set-cookie: canary\r\nwith canary\r\n\r\n"],
  ])("H40: unreadable bytes of %s do not appear in the error", async (_what, bytes) => {
    await using server = await responding(`HTTP/1.1 200 OK\r\n${bytes}`);
    const error = await failureOf(server.url);
    expect(error.cause).toBeInstanceOf(Error);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("canary");
  });

  test("excess bytes after a response are not used as the next response", async () => {
    const response = (body: string) =>
      `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    let responses = 0;
    await using server = await rawServer((socket) =>
      onRequest(socket, () => {
        responses += 1;
        socket.write(response(`own ${responses}`) + (responses === 1 ? response("other") : ""));
      }),
    );
    await using transport = createTransport({ server: server.url, connections: 1 });
    for (const own of ["own 1", "own 2", "own 3"]) {
      expect(await text(await transport.send(get()))).toBe(own);
    }
  });

  test.each([301, 302, 303, 307, 308])(
    "does not follow a redirect with %i to another host",
    async (status) => {
      await using other = await rawServer((socket) => socket.end());
      const location = `location: ${other.url}/api\r\n`;
      await using server = await responding(
        `HTTP/1.1 ${status} Moved\r\n${location}content-length: 0\r\n\r\n`,
      );
      const options = { server: server.url, auth: bearerToken("t"), credentialsOverHttp: true };
      await using transport = createTransport(options);
      for (const request of [get(), post, get({ mode: "stream" })]) {
        expect((await transport.send(request)).status).toBe(status);
      }
      expect(other.connections).toBe(0);
    },
  );

  test("garbage instead of HTTP: NotKubernetes", async () => {
    await using server = await responding("SSH-2.0-OpenSSH_9.6\r\n");
    const error = await failureOf(server.url);
    expect(error.code).toBe("NotKubernetes");
    expect(error.message).toContain("does not speak HTTP");
  });

  test("endless response headers: TooLarge", async () => {
    await using server = await responding(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(70_000)}`);
    expect((await failureOf(server.url)).code).toBe("TooLarge");
  });

  test("a connection without a handshake: ConnectionTimeout", async () => {
    await using server = await rawServer(() => {});
    await using transport = createTransport({
      server: server.url.replace("http:", "https:"),
      connectTimeoutMs: 20,
    });
    expect((await failure(transport.send(post))).code).toBe("ConnectionTimeout");
  });

  test("an HTML login page with 200: NotKubernetes, with the beginning of the page", async () => {
    const page = `<html><title>Sign in</title>${"x".repeat(500)}</html>`;
    await using server = await responding(
      `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${page.length}\r\n\r\n${page}`,
    );
    await using transport = createTransport({ server: server.url });
    const request = get({ headers: { accept: codecs.json.mediaType } });
    const error = await failure(ensureOk(request, await transport.send(request)));
    expect(error.code).toBe("NotKubernetes");
    expect(error.rawMessage).toContain(page.slice(0, 200));
    expect(error.rawMessage).not.toContain(page.slice(0, 201));
  });

  test("skips informational responses before the final one", async () => {
    await using server = await responding(
      "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}",
    );
    await using transport = createTransport({ server: server.url });
    const response = await transport.send(post);
    expect(response.status).toBe(200);
    expect(await text(response)).toBe("{}");
  });

  test("accepts a 304 with the content-length of its missing body", async () => {
    await using server = await responding("HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n");
    await using transport = createTransport({ server: server.url });
    for (let i = 0; i < 2; i++) {
      const response = await transport.send(get());
      expect(response.status).toBe(304);
      expect(await text(response)).toBe("");
    }
  });

  test("back-pressure: an unread body stops the sender", async () => {
    let written = 0;
    await using server = await rawServer((socket) =>
      onRequest(socket, () => {
        socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
        const chunk = Buffer.from(`10000\r\n${"x".repeat(0x10000)}\r\n`);
        const more = () => {
          while (socket.writable && written < 256 * 1024 * 1024) {
            written += 0x10000;
            if (!socket.write(chunk)) {
              socket.once("drain", more);
              return;
            }
          }
        };
        more();
      }),
    );
    await using transport = createTransport({ server: server.url });
    const response = await transport.send(get({ mode: "stream" }));
    const iterator = response.body[Symbol.asyncIterator]();
    let read = 0;
    while (read < 2 * 1024 * 1024) {
      read += (await iterator.next()).value?.byteLength ?? 0;
    }
    // The system's buffers hold far less than the 256 MiB that the sender has.
    expect(written).toBeLessThan(64 * 1024 * 1024);
    await iterator.return?.();
    await server.closed(1);
  });
});
