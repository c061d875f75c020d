import { Duplex } from "node:stream";
import type { WebSocketMessage } from "@typekube/core/internal/streams";
import { WebSocketConnection } from "@typekube/transport/internal";
import { describe, expect, it } from "vitest";

/** Returns a frame as clients send it. */
function frame(
  first: number,
  payload: Buffer | string,
  { masked = true, length = -1 } = {},
): Buffer {
  const bytes = Buffer.from(payload as string);
  const size = length < 0 ? bytes.byteLength : length;
  const head =
    size < 126
      ? Buffer.from([first, (masked ? 0x80 : 0) | size])
      : size < 65_536
        ? Buffer.from([first, (masked ? 0x80 : 0) | 126, size >> 8, size & 0xff])
        : Buffer.concat([
            Buffer.from([first, (masked ? 0x80 : 0) | 127]),
            (() => {
              const long = Buffer.alloc(8);
              long.writeBigUInt64BE(BigInt(size));
              return long;
            })(),
          ]);
  const mask = Buffer.from([1, 2, 3, 4]);
  return masked
    ? Buffer.concat([head, mask, bytes.map((byte, at) => byte ^ (mask[at & 3] ?? 0))])
    : Buffer.concat([head, bytes]);
}

/** Opens a connection whose client sends chunks, and collects the frames that the server writes. */
function connect() {
  const frames: Buffer[] = [];
  const socket = new Duplex({
    read() {},
    /** Each frame is one write. */
    write(bytes: Buffer, _encoding, done) {
      frames.push(bytes);
      done();
    },
  });
  const connection = new WebSocketConnection(socket, {
    role: "server",
    protocol: "",
    maxMessageBytes: 1_000,
  });
  return {
    connection,
    frames,
    /** Sends chunks, ends the client's side and returns the messages that the server read. */
    async exchange(chunks: readonly Buffer[]): Promise<WebSocketMessage[]> {
      for (const chunk of chunks) {
        // Payloads are unmasked in place.
        socket.push(Buffer.from(chunk));
      }
      setImmediate(() => socket.push(null));
      const messages: WebSocketMessage[] = [];
      for await (const message of connection.messages()) {
        messages.push(message);
      }
      return messages;
    },
  };
}

const shown = (messages: readonly WebSocketMessage[]) =>
  messages.map(({ kind, bytes }) => `${kind} ${bytes.toString()}`);

/** Returns the code of the problem that the server found; 0 without one. */
async function problemOf(...chunks: readonly Buffer[]): Promise<number> {
  const { exchange, frames } = connect();
  await exchange(chunks);
  const close = frames.find(([first]) => first === 0x88);
  const code = close?.readUInt16BE(2) ?? 0;
  return code === 1000 ? 0 : code;
}

describe("frames of RFC 6455", () => {
  it("§3.21: are read in chunks of any size, with fragments joined and control frames in between", async () => {
    const bytes = Buffer.concat([
      frame(0x02, "he"),
      frame(0x89, "ping"),
      frame(0x80, "llo"),
      frame(0x81, "häh"),
      frame(0x82, "x".repeat(300)),
      frame(0x82, ""),
    ]);
    const wanted = ["binary hello", "text häh", `binary ${"x".repeat(300)}`, "binary "];
    for (const size of [1, 2, 3, 7, 64, bytes.byteLength]) {
      const { exchange, frames } = connect();
      const chunks: Buffer[] = [];
      for (let at = 0; at < bytes.byteLength; at += size) {
        chunks.push(bytes.subarray(at, at + size));
      }
      expect(shown(await exchange(chunks))).toEqual(wanted);
      expect(frames[0]?.toString("latin1")).toBe("\x8a\x04ping");
    }
  });

  it.each([
    ["an unmasked frame", frame(0x82, "a", { masked: false }), 1002],
    ["reserved bits", frame(0xc2, "a"), 1002],
    ["an unknown opcode", frame(0x83, "a"), 1002],
    ["a fragmented control frame", frame(0x09, "a"), 1002],
    ["a long control frame", frame(0x89, "x".repeat(126)), 1002],
    ["a continuation without a first fragment", frame(0x80, "a"), 1002],
    [
      "a new message inside a fragmented one",
      Buffer.concat([frame(0x02, "a"), frame(0x82, "b")]),
      1002,
    ],
    ["text that is not UTF-8", frame(0x81, Buffer.from([0xc3, 0x28])), 1007],
    ["a message that is too long", frame(0x82, "", { length: 1_001 }), 1009],
    ["2^63 bytes", Buffer.from("82ff8000000000000000000000000a", "hex"), 1009],
    [
      "fragments that together exceed the limit",
      Buffer.concat([frame(0x02, "x".repeat(900)), frame(0x00, "x".repeat(101))]),
      1009,
    ],
  ])("rejects %s as a protocol error", async (_, bytes, code) => {
    expect(await problemOf(bytes)).toBe(code);
  });

  it("an announced length allocates nothing: the frame is rejected before its bytes", async () => {
    const head = frame(0x82, "", { length: 2 ** 40 });
    expect(await problemOf(head.subarray(0, 14))).toBe(1009);
  });

  it("random bytes give messages or a protocol error, never another error", async () => {
    let seed = 7;
    const random = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed >>> 16;
    };
    for (let round = 0; round < 2_000; round++) {
      const bytes = Buffer.from(Array.from({ length: random() % 40 }, () => random() & 0xff));
      expect([0, 1002, 1007, 1009]).toContain(await problemOf(bytes, bytes));
    }
  });

  it.each([
    ["a close frame without a code", [frame(0x88, "")]],
    ["a client that only ends its side", []],
  ])("%s is answered with 1000", async (_, chunks) => {
    const { exchange, frames } = connect();
    expect(await exchange(chunks)).toEqual([]);
    expect(frames.map((bytes) => bytes.toString("hex"))).toEqual(["880203e8"]);
  });

  it("are written unfragmented and unmasked", async () => {
    const { connection, frames } = connect();
    await connection.send(Buffer.from("a"));
    await connection.send(Buffer.alloc(300), { kind: "text" });
    await connection.send(Buffer.alloc(70_000));
    connection.close(1000, "x".repeat(200));
    expect(frames[0]?.toString("hex")).toBe("820161");
    expect(frames[1]?.subarray(0, 4).toString("hex")).toBe("817e012c");
    expect(frames[2]?.subarray(0, 10).toString("hex")).toBe("827f0000000000011170");
    expect(frames[3]?.subarray(0, 4).toString("hex")).toBe("887d03e8");
    expect(frames[3]?.byteLength).toBe(2 + 125);
  });
});
