import { setImmediate as nextTurn } from "node:timers/promises";
import { Pod } from "@typekube/api/core/v1";
import { onRequest, rawServer } from "@typekube/test-support/servers";
import { acceptResponse, serverFrame } from "@typekube/test-support/web-socket-server";
import { connect } from "typekube";
import { expect, it } from "vitest";

const binary = 0x82;
const status = '{"metadata":{},"status":"Success"}';
const frames = Buffer.concat([
  serverFrame(binary, 1, "out "),
  serverFrame(0x89, "ping"),
  serverFrame(binary, 2, "err"),
  serverFrame(0x02, 1, "a frag"),
  serverFrame(0x80, "ment é".repeat(30)),
  serverFrame(binary, 3, status),
  serverFrame(0x88, 0x03, 0xe8),
]);
const whole = { exitCode: 0, stdout: `out a frag${"ment é".repeat(30)}`, stderr: "err" };

/** Starts a server that sends a handshake and these frames, divided at a place that the test sets. */
async function dividingServer(sendsRest: boolean) {
  const place = { at: 0 };
  const server = await rawServer((socket) => {
    socket.setNoDelay();
    onRequest(socket, (head) => {
      socket.removeAllListeners("data");
      socket.resume();
      const bytes = Buffer.concat([Buffer.from(acceptResponse(head)), frames]);
      socket.write(bytes.subarray(0, place.at));
      if (sendsRest) {
        setImmediate(() => socket.end(bytes.subarray(place.at)));
      }
    });
  });
  return { server, place };
}

const total = Buffer.byteLength(acceptResponse("sec-websocket-key: x")) + frames.byteLength;

it("XT14: a session is the same wherever its bytes are divided, also within the handshake", async () => {
  const { server, place } = await dividingServer(true);
  await using _server = server;
  await using client = await connect({ server: server.url });
  const pod = client.resource(Pod, "default").named("web-0");
  for (place.at = 0; place.at <= total; place.at++) {
    expect(await pod.exec(["x"], { container: "c" }), `at ${place.at}`).toEqual(whole);
  }
});

it("XT18: an abort after any byte ends the call with its reason, and closes the socket", async () => {
  const { server, place } = await dividingServer(false);
  await using _server = server;
  await using client = await connect({ server: server.url });
  const pod = client.resource(Pod, "default").named("web-0");
  const reason = new Error("enough");
  const outcomes = new Set<unknown>();
  for (place.at = 0; place.at <= total; place.at += 3) {
    const abort = new AbortController();
    const options = { container: "c", signal: abort.signal };
    const before = server.connections;
    const call = pod.exec(["x"], options).catch((error: unknown) => error);
    while (server.connections === before) {
      await nextTurn();
    }
    for (let turn = 0; turn < 5; turn++) {
      await nextTurn();
    }
    abort.abort(reason);
    const outcome = await call;
    outcomes.add(outcome instanceof Error ? outcome : JSON.stringify(outcome));
  }
  // Once the status is there, the command has ended.
  expect(outcomes).toEqual(new Set([reason, JSON.stringify(whole)]));
  await server.closed(server.connections);
});
