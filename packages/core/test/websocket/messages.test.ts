import {
  closeCodes,
  encodeClose,
  encodeFrame,
  MessageReader,
  opcodes,
  type WebSocketEvent,
  type WebSocketRole,
  WebSocketViolation,
} from "@typekube/core/internal/streams";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { describe, expect, it } from "vitest";

const limit = 1_000_000;

/** Reads chunks and returns the events, and the close code of a violation. */
function read(role: WebSocketRole, ...chunks: readonly Uint8Array[]) {
  const reader = new MessageReader(role, limit);
  const events: WebSocketEvent[] = [];
  try {
    for (const chunk of chunks) {
      reader.read(Buffer.from(chunk), (event) => events.push(event));
    }
  } catch (error) {
    if (!(error instanceof WebSocketViolation)) {
      throw error;
    }
    return { events, violation: error.closeCode };
  }
  return { events, violation: undefined };
}

const bytes = (...values: readonly number[]) => Buffer.from(values);
const text = (event: WebSocketEvent | undefined) =>
  event?.type === "message" ? event.message.bytes.toString() : event?.type;

describe("XT14: messages of a peer", () => {
  it.each(["client", "server"] as const)(
    "every length of a %s's message comes back, however its bytes are split",
    (role) => {
      const random = seededRandom(7);
      for (const length of [0, 1, 2, 3, 4, 5, 125, 126, 127, 1_000, 65_535, 65_536, 70_001]) {
        const payload = Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
        for (const channel of [undefined, 1]) {
          const frame = encodeFrame(role, { opcode: opcodes.binary, payload, channel });
          const wanted = channel === undefined ? payload : Buffer.concat([bytes(channel), payload]);
          for (const size of [1, 3, 7, 4_096, frame.byteLength + 1]) {
            const chunks: Buffer[] = [];
            for (let at = 0; at < frame.byteLength; at += size) {
              chunks.push(Buffer.from(frame.subarray(at, at + size)));
            }
            const { events } = read(role === "client" ? "server" : "client", ...chunks);
            const [event] = events;
            expect(events.length).toBe(1);
            // Comparing buffers by a matcher takes seconds.
            expect(event?.type === "message" && event.message.bytes.equals(wanted)).toBe(true);
          }
        }
      }
    },
  );

  it("frames of a client are masked with a new key each time", () => {
    const frames = Array.from({ length: 300 }, () =>
      encodeFrame("client", { opcode: opcodes.text, payload: Buffer.from("hello") }),
    );
    expect(new Set(frames.map((frame) => frame.toString("hex"))).size).toBe(300);
    expect(frames.every((frame) => (frame[1] ?? 0) >= 0x80)).toBe(true);
  });

  it("joins fragments and passes on control frames between them", () => {
    const frame = (opcode: number, payload: string, isLast: boolean) =>
      encodeFrame("server", { opcode, payload: Buffer.from(payload), isLast });
    const { events } = read(
      "client",
      frame(opcodes.text, "one ", false),
      frame(opcodes.ping, "?", true),
      frame(opcodes.continuation, "two ", false),
      frame(opcodes.continuation, "three", true),
    );
    expect(events.map(text)).toEqual(["ping", "one two three"]);
  });

  it("reads the close frame with its code and reason, and nothing after it", () => {
    const { events } = read(
      "client",
      Buffer.concat([encodeClose("server", 1011, "no disk"), Buffer.from([0xff, 0xff, 0xff])]),
      Buffer.from("more"),
    );
    expect(events).toEqual([{ type: "close", code: 1011, reason: "no disk" }]);
    expect(read("client", bytes(0x88, 0)).events).toEqual([
      { type: "close", code: closeCodes.noStatus, reason: "" },
    ]);
  });

  it("cuts a reason that is too long at a whole character", () => {
    const { events } = read("client", encodeClose("server", 1000, `x${"ä".repeat(100)}`));
    expect(events).toEqual([{ type: "close", code: 1000, reason: `x${"ä".repeat(61)}` }]);
  });

  it.each([
    ["a reserved bit", bytes(0xc2, 0), 1002],
    ["an unknown opcode", bytes(0x83, 0), 1002],
    ["a masked frame of a server", bytes(0x82, 0x80, 0, 0, 0, 0), 1002],
    ["a fragmented ping", bytes(0x09, 0), 1002],
    ["a ping of 126 bytes", bytes(0x89, 126, 0, 126), 1002],
    ["a continuation of nothing", bytes(0x80, 0), 1002],
    ["a message within a message", bytes(0x02, 0, 0x82, 0), 1002],
    ["a close frame of one byte", bytes(0x88, 1, 3), 1002],
    ["the close code 1005", bytes(0x88, 2, 3, 0xed), 1002],
    ["the close code 999", bytes(0x88, 2, 3, 0xe7), 1002],
    ["a text that is not UTF-8", bytes(0x81, 1, 0xff), 1007],
    ["a reason that is not UTF-8", bytes(0x88, 3, 3, 0xe8, 0xff), 1007],
    ["a frame longer than allowed", bytes(0x82, 127, 0, 0, 0, 0, 0, 0x10, 0, 0), 1009],
    ["a length of 2^63", bytes(0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0), 1009],
  ])("%s ends the connection with its code, before any payload is kept", (_what, chunk, code) => {
    expect(read("client", chunk).violation).toBe(code);
  });

  it("a server rejects a frame without a mask", () => {
    expect(read("server", bytes(0x82, 0)).violation).toBe(1002);
  });

  it("limits the size and the number of the fragments of a message", () => {
    const part = (payload: Uint8Array) =>
      encodeFrame("server", { opcode: opcodes.continuation, payload, isLast: false });
    const first = bytes(0x02, 0);
    const large = part(Buffer.alloc(limit / 2));
    expect(read("client", first, large, large).violation).toBeUndefined();
    expect(read("client", first, large, large, part(bytes(1))).violation).toBe(1009);
    const many = Buffer.concat(Array.from({ length: 20_000 }, () => bytes(0x00, 0)));
    expect(read("client", first, many).violation).toBe(1009);
  });
});
