import { Pod } from "@typekube/api/core/v1";
import type { PodCalls } from "@typekube/client";
import { failure } from "@typekube/test-support/failure";
import { manualClock } from "@typekube/test-support/manual-clock";
import { onRequest, rawServer } from "@typekube/test-support/servers";
import { serverFrame, webSocketServer } from "@typekube/test-support/web-socket-server";
import { WebSocketConnection } from "@typekube/transport/internal";
import { connect } from "typekube";
import { describe, expect, it } from "vitest";

const binary = 0x82;
const success = '{"metadata":{},"status":"Success"}';
const exitStatus = (code: unknown) =>
  JSON.stringify({
    status: "Failure",
    reason: "NonZeroExitCode",
    message: "command terminated with exit code",
    details: { causes: [{ reason: "ExitCode", message: code }] },
  });
const normalClose = serverFrame(0x88, 0x03, 0xe8);

/** Runs a test with a pod of a server that answers a session with these bytes and then ends. */
async function withPod<T>(
  bytes: readonly Uint8Array[],
  test: (pod: PodCalls) => Promise<T>,
  protocol?: string,
): Promise<T> {
  await using server = await webSocketServer((socket) => {
    socket.end(Buffer.concat(bytes));
  }, protocol);
  await using client = await connect({ server: server.url });
  return await test(client.resource(Pod, "default").named("web-0"));
}

const run = (pod: PodCalls) => pod.exec(["x"], { container: "c" });

describe("the status of a session", () => {
  it.each([
    ["success", success, 0],
    ["an exit code", exitStatus("3"), 3],
    ["a kill", exitStatus("137"), 137],
    ["a command that cannot be executed", exitStatus("126"), 126],
    ["a status that ends with white space", `${exitStatus("1")} \r\n`, 1],
  ])("XE5: %s is the exit code", async (_what, status, exitCode) => {
    const frames = [serverFrame(binary, 1, "out"), serverFrame(binary, 3, status), normalClose];
    expect(await withPod(frames, run)).toEqual({ exitCode, stdout: "out", stderr: "" });
  });

  it.each([
    ["no details", '{"status":"Failure","reason":"NonZeroExitCode"}'],
    [
      "causes that are no list",
      '{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":5}}',
    ],
    [
      "no cause ExitCode",
      '{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[]}}',
    ],
    [
      "null for a cause",
      '{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[null]}}',
    ],
    ["a code that is not a number", exitStatus("three")],
    ["a code of another type", exitStatus(3)],
    ["an empty code", exitStatus("")],
    ["an unknown status", '{"status":"Maybe"}'],
    ["no object", "[1]"],
    ["no JSON", "command terminated"],
    ["half of a status", success.slice(0, 20)],
  ])("XE6: %s is an error of the error stream protocol", async (_what, status) => {
    const error = await failure(withPod([serverFrame(binary, 3, status), normalClose], run));
    expect(error).toMatchObject({ code: "Decode" });
    expect(error.message).toContain("error stream protocol");
  });

  it("XE6: of two, the first one counts; one in several messages is joined", async () => {
    const two = [serverFrame(binary, 3, exitStatus("3")), serverFrame(binary, 3, success)];
    expect((await withPod([...two, normalClose], run)).exitCode).toBe(3);
    const parts = [
      serverFrame(binary, 3, success.slice(0, 9)),
      serverFrame(binary, 3, success.slice(9)),
    ];
    expect((await withPod([...parts, normalClose], run)).exitCode).toBe(0);
  });

  it("XE5: another failure is an error with the server's message", async () => {
    const status =
      '{"status":"Failure","message":"container is gone","reason":"NotFound","code":404}';
    expect(await failure(withPod([serverFrame(binary, 3, status)], run))).toMatchObject({
      code: "NotFound",
      rawMessage: "container is gone",
    });
  });

  it("XE7: output after the status is delivered, too", async () => {
    const frames = [
      serverFrame(binary, 1, "early "),
      serverFrame(binary, 3, success),
      serverFrame(binary, 1, "late"),
      serverFrame(binary, 2, "err"),
      normalClose,
    ];
    expect(await withPod(frames, run)).toEqual({
      exitCode: 0,
      stdout: "early late",
      stderr: "err",
    });
  });

  it("XT19: close() resolves when unread output follows the status", async () => {
    const output = serverFrame(binary, 1, Buffer.alloc(60_000));
    const frames = [serverFrame(binary, 3, success), ...Array.from({ length: 40 }, () => output)];
    await withPod([...frames, normalClose], async (pod) => {
      const session = await pod.exec(["x"], { container: "c", session: true });
      await expect.poll(() => session.stdout.readableLength).toBeGreaterThan(200_000);
      await session.close();
    });
  });

  it("XE8: a server that never closes the connection after the status is left after a while", async () => {
    const clock = manualClock();
    await using server = await webSocketServer((socket) => {
      socket.write(serverFrame(binary, 3, success));
    });
    await using client = await connect({ server: server.url, clock });
    await using session = await client
      .resource(Pod, "default")
      .named("web-0")
      .exec(["x"], { container: "c", session: true });
    let isDone = false;
    const result = session.result.finally(() => {
      isDone = true;
    });
    for (let tick = 0; !isDone && tick < 1_000; tick++) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(1_000);
    }
    expect(await result).toEqual({ exitCode: 0 });
  });
});

describe("the end of a session", () => {
  it.each([
    ["1000 without a status", normalClose, "ended without a status"],
    ["no code", serverFrame(0x88), "ended without a status"],
    [
      "1001",
      serverFrame(0x88, 0x03, 0xe9, "going away"),
      "lost (WebSocket close code 1001): going away",
    ],
    ["1011", serverFrame(0x88, 0x03, 0xf3, "kubelet"), "lost (WebSocket close code 1011): kubelet"],
    ["no close frame", new Uint8Array(0), "lost (WebSocket close code 1006)"],
  ])("XT11, XT12: %s without a status is an error that says so", async (_what, end, message) => {
    const error = await failure(withPod([serverFrame(binary, 1, "out"), end], run));
    expect(error).toMatchObject({ code: "ConnectionClosed" });
    expect(error.message).toContain(message);
  });

  it("XT12: a status counts, however the connection ends", async () => {
    expect((await withPod([serverFrame(binary, 3, exitStatus("5"))], run)).exitCode).toBe(5);
  });

  it("XE10, XT13: a text message is an error; what nobody knows is ignored", async () => {
    const text = await failure(withPod([serverFrame(0x81, "\u0001hi"), normalClose], run));
    expect(text).toMatchObject({ code: "Decode" });
    const frames = [
      serverFrame(binary),
      serverFrame(binary, 1),
      serverFrame(binary, 9, "unknown"),
      serverFrame(binary, 0, "echo"),
      // XE10: only clients end stdin.
      serverFrame(binary, 255, 1),
      serverFrame(binary, 1, "good"),
      serverFrame(binary, 3, success),
      normalClose,
    ];
    expect(await withPod(frames, run)).toEqual({ exitCode: 0, stdout: "good", stderr: "" });
  });

  it("XT17: input is sent in messages of at most 32 KiB", async () => {
    const sizes: number[] = [];
    const receive = async (connection: WebSocketConnection) => {
      for await (const { bytes } of connection.messages()) {
        if (bytes[0] === 255) {
          await connection.send(Buffer.from(success), { channel: 3 });
          break;
        }
        sizes.push(bytes.byteLength - 1);
      }
    };
    await using server = await webSocketServer((socket) => {
      void receive(new WebSocketConnection(socket, { role: "server", protocol: "" }));
    });
    await using client = await connect({ server: server.url });
    const pod = client.resource(Pod, "default").named("web-0");
    const stdin = Buffer.alloc(100_000, "x");
    expect((await pod.exec(["x"], { container: "c", stdin })).exitCode).toBe(0);
    expect(sizes).toEqual([32_768, 32_768, 32_768, 1_696]);
  });

  it("XT14: a violation of WebSocket's protocol is an error", async () => {
    const error = await failure(withPod([serverFrame(0xc2, 1, "x")], run));
    expect(error).toMatchObject({ code: "ConnectionClosed" });
    expect(error.message).toContain("close code 1002");
  });
});

describe("a server that knows version 4 of the protocol only", () => {
  const v4 = "v4.channel.k8s.io";
  const frames = [serverFrame(binary, 1, "out"), serverFrame(binary, 3, success), normalClose];

  it("XT5: runs commands, and says that it cannot end stdin", async () => {
    await withPod(
      frames,
      async (pod) => {
        await using session = await pod.exec(["x"], { container: "c", stdin: true });
        expect([session.protocol, session.canCloseStdin]).toEqual([v4, false]);
        expect(await session.result).toEqual({ exitCode: 0 });
      },
      v4,
    );
  });

  it("XE9: does not get finite input, unless its end may end the session", async () => {
    const heads: string[] = [];
    await using server = await webSocketServer((socket, head) => {
      heads.push(head);
      socket.on("data", () => {});
    }, v4);
    await using client = await connect({ server: server.url });
    const pod = client.resource(Pod, "default").named("web-0");
    const refused = await failure(pod.exec(["cat"], { container: "c", stdin: "text" }));
    expect(refused).toMatchObject({ code: "Decode" });
    expect(refused.hint).toContain('stdinEnd: "disconnect"');
    expect(heads[0]).toMatch(/sec-websocket-protocol: v5\.channel\.k8s\.io$/);
    const cut = await failure(
      pod.exec(["cat"], { container: "c", stdin: "text", stdinEnd: "disconnect" }),
    );
    expect(cut).toMatchObject({ code: "ConnectionClosed" });
    expect(heads[1]).toMatch(/sec-websocket-protocol: v5\.channel\.k8s\.io, v4\.channel\.k8s\.io$/);
  });

  it("XE9: says so where it refuses the only version with 403 and no Status", async () => {
    await using server = await rawServer((socket) => {
      onRequest(socket, () => socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"));
    });
    await using client = await connect({ server: server.url });
    const pod = client.resource(Pod, "default").named("web-0");
    const refused = await failure(pod.exec(["cat"], { container: "c", stdin: "text" }));
    expect(refused).toMatchObject({ code: "Forbidden" });
    expect(refused.hint).toContain("1.30");
  });

  it("XE9: end() on the stream of such a session fails it with the way out", async () => {
    await using server = await webSocketServer((socket) => socket.on("data", () => {}), v4);
    await using client = await connect({ server: server.url });
    const pod = client.resource(Pod, "default").named("web-0");
    await using session = await pod.exec(["cat"], { container: "c", stdin: true });
    session.stdin?.end("text");
    const error = await failure(session.result);
    expect(error).toMatchObject({ code: "InvalidState" });
    expect(error.hint).toContain("head -c");
  });
});
