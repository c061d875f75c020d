import { failure, get, text } from "@typekube/test-support/calls";
import { onRequest, rawServer } from "@typekube/test-support/servers";
import { describe, expect, test } from "vitest";
import { createTransport, parseWarnings } from "../src/index.js";

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n";

/** A server that sends each of these heads in turn, with the body `{}`. */
function responding(...heads: string[]) {
  let next = 0;
  return rawServer((socket) => onRequest(socket, () => socket.write(`${heads[next++]}\r\n{}`)));
}

/** A request that is never retried, so that each response is seen once. */
const post = get({ method: "POST", body: Buffer.from("{}") });

describe("the size limit of response headers", () => {
  test.each([
    ["one long header", `x: ${"y".repeat(70_000)}\r\n`],
    [
      "thousands of short headers",
      Array.from({ length: 5000 }, (_, i) => `x-${i}: ${i}${i}\r\n`).join(""),
    ],
    ["thousands of equal headers", "set-cookie: aaaaaaaaaa\r\n".repeat(5000)],
    ["a long header name", `${"y".repeat(70_000)}: x\r\n`],
    [
      "header names without values",
      Array.from({ length: 20_000 }, (_, i) => `x${i}:\r\n`).join(""),
    ],
  ])("%s: TooLarge, the connection closes, the next call works", async (_, headers) => {
    await using server = await responding(ok + headers, ok);
    await using transport = createTransport({ server: server.url });
    const error = await failure(transport.send(post).then(text));
    expect(error.code).toBe("TooLarge");
    expect(error.message).toContain("limits.maxHeaderBytes");
    await server.closed(1);
    expect(await text(await transport.send(post))).toBe("{}");
    expect(server.connections).toBe(2);
  });

  test("endless headers: TooLarge while they arrive", async () => {
    await using server = await rawServer((socket) =>
      onRequest(socket, () => {
        socket.write(ok);
        const more = () => {
          while (socket.writable && socket.write(`x: ${"y".repeat(1000)}\r\n`)) {
            // Writes until the socket is full.
          }
          socket.once("drain", more);
        };
        more();
      }),
    );
    await using transport = createTransport({ server: server.url });
    for (const mode of ["call", "stream"] as const) {
      expect((await failure(transport.send({ ...post, mode }))).code).toBe("TooLarge");
    }
    await server.closed(2);
  });

  test("applies exactly at maxHeaderBytes", async () => {
    const head = `HTTP/1.1 200 OK\r\nconnection: close\r\nx: ${"y".repeat(984)}\r\n`;
    await using server = await rawServer((socket) =>
      onRequest(socket, () => socket.end(`${head}\r\n{}`)),
    );
    for (const [maxHeaderBytes, outcome] of [
      [1000, "{}"],
      [999, "TooLarge"],
    ] as const) {
      await using transport = createTransport({ server: server.url, limits: { maxHeaderBytes } });
      const response = transport.send(post).then(text);
      expect(outcome === "{}" ? await response : (await failure(response)).code).toBe(outcome);
    }
  });

  test("reads many kilobytes of headers within the limit", async () => {
    const head = `${ok}${Array.from({ length: 50 }, (_, i) => `x-${i}: ${"y".repeat(1000)}\r\n`).join("")}`;
    await using server = await responding(head);
    await using transport = createTransport({ server: server.url });
    const response = await transport.send(post);
    expect(response.headers["x-49"]).toHaveLength(1000);
    expect(await text(response)).toBe("{}");
  });
});

test("a warning shows terminal escapes and bidirectional controls as visible text", () => {
  const text = Buffer.from('299 - "a\u001b[2J b\u202e c\u009b"', "utf8").toString("latin1");
  expect(parseWarnings(text)).toEqual(["a\\x1b[2J b\\u202e c\\x9b"]);
});
