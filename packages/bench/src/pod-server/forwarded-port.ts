import { SpdySession, type SpdyStream } from "@typekube/core/internal/streams";
import { benchPod } from "../bench-pod.js";
import { channelFrames, flood, spdyFrames } from "./flood.js";
import type { ServerSocket } from "./server-socket.js";

const tunnelProtocol = "SPDY/3.1+portforward.k8s.io";

/** Subprotocols of port-forward: the tunnel of TypeKube and kubectl, and the channels of client-node. */
export const portProtocols: readonly string[] = [tunnelProtocol, "v4.channel.k8s.io"];

/** Serves connections to a port, each of which begins with a line: the number of bytes that it wants. */
export async function forwardPort(socket: ServerSocket): Promise<void> {
  await (socket.protocol === tunnelProtocol ? serveTunnel(socket) : serveChannels(socket));
}

async function serveTunnel(socket: ServerSocket): Promise<void> {
  let last: Buffer = Buffer.alloc(0);
  const session = new SpdySession({
    send(bytes) {
      last = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return socket.send(bytes);
    },
    onStream(stream) {
      if (stream.headers.get("streamtype") === "data") {
        void serve(stream);
      } else {
        // No connection fails, and the end of this stream says so.
        void stream.end();
      }
    },
  });
  const serve = async (stream: SpdyStream) => {
    const wanted = await requestOf(stream.data);
    // The ID of a stream is at the beginning of its frames.
    const sent = stream.write(Buffer.from("a"));
    const id = last.readUInt32BE(0);
    await sent;
    await flood(socket, spdyFrames(id), wanted - 1);
    await stream.end();
  };
  let received = Promise.resolve();
  await new Promise<void>((resolve) => {
    socket.read((message) => {
      if (message === undefined) {
        resolve();
      } else {
        received = received.then(() => session.receive(message)).catch(() => socket.close());
      }
    });
  });
  session.close();
}

async function serveChannels(socket: ServerSocket): Promise<void> {
  const port = Buffer.alloc(2);
  port.writeUInt16LE(benchPod.port);
  let line = "";
  let hasBegun = false;
  socket.read((message) => {
    line += message?.toString("latin1", 1) ?? "";
    if (!hasBegun && line.includes("\n")) {
      hasBegun = true;
      void flood(socket, channelFrames(0), Number(line)).then(() => socket.close());
    }
  });
  await socket.send(port, 0);
  await socket.send(port, 1);
}

async function requestOf(data: AsyncIterable<Uint8Array>): Promise<number> {
  let line = "";
  for await (const chunk of data) {
    line += Buffer.from(chunk).toString("latin1");
    if (line.includes("\n")) {
      break;
    }
  }
  return Number(line);
}
