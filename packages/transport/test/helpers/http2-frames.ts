import type net from "node:net";
import tls from "node:tls";
import { fixture } from "@typekube/test-support/servers";

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/** Types of HTTP/2 frames (RFC 9113 section 6). */
export const frameTypes = {
  data: 0x0,
  headers: 0x1,
  rstStream: 0x3,
  settings: 0x4,
  goaway: 0x7,
  continuation: 0x9,
} as const;

/** Flags of HTTP/2 frames; END_STREAM and ACK have the same bit. */
export const frameFlags = { endStream: 0x1, ack: 0x1, endHeaders: 0x4 } as const;

/** Encodes a frame. */
export function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.byteLength, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Encodes 32-bit numbers, as in RST_STREAM and GOAWAY. */
export function words(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [i, number] of numbers.entries()) {
    bytes.writeUInt32BE(number, 4 * i);
  }
  return bytes;
}

/** Encodes a field without Huffman coding; `indexed` adds it to the dynamic table (RFC 7541 section 6.2). */
export function field(name: string, value: string, indexed = false): Buffer {
  return Buffer.concat([Buffer.from([indexed ? 0x40 : 0x00]), string(name), string(value)]);
}

function string(text: string): Buffer {
  const { length } = text;
  const head: number[] = [];
  if (length < 127) {
    head.push(length);
  } else {
    head.push(127);
    let rest = length - 127;
    for (; rest >= 128; rest >>= 7) {
      head.push((rest & 127) | 128);
    }
    head.push(rest);
  }
  return Buffer.concat([Buffer.from(head), Buffer.from(text, "latin1")]);
}

/** A server that writes its frames by hand. */
export interface FramePeer extends AsyncDisposable {
  readonly url: string;
}

/**
 * Accepts HTTP/2 over TLS, exchanges SETTINGS, and calls back for each HEADERS frame from a client.
 *
 * @param onRequest - gets the stream id and a function that writes bytes to the client.
 * @param onGoaway - called when the client ends the session.
 */
export async function framePeer(
  onRequest: (stream: number, write: (...frames: readonly Buffer[]) => void) => void,
  onGoaway: () => void = () => {},
): Promise<FramePeer> {
  const sockets = new Set<net.Socket>();
  const options = {
    cert: fixture("server.pem"),
    key: fixture("server.key.pem"),
    ALPNProtocols: ["h2"],
  };
  const server = tls.createServer(options, (socket) => {
    sockets.add(socket);
    let bytes = Buffer.alloc(0);
    let skip = preface.length;
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.write(frame(frameTypes.settings, 0, 0, Buffer.alloc(0)));
    socket.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      while (bytes.byteLength >= skip + 9) {
        bytes = bytes.subarray(skip);
        const length = bytes.readUIntBE(0, 3);
        if (bytes.byteLength < 9 + length) {
          skip = 0;
          return;
        }
        const [type, flags] = [bytes.readUInt8(3), bytes.readUInt8(4)];
        skip = 9 + length;
        if (type === frameTypes.settings && (flags & frameFlags.ack) === 0) {
          socket.write(frame(frameTypes.settings, frameFlags.ack, 0, Buffer.alloc(0)));
        } else if (type === frameTypes.headers) {
          onRequest(bytes.readUInt32BE(5), (...frames) => socket.write(Buffer.concat(frames)));
        } else if (type === frameTypes.goaway) {
          onGoaway();
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
