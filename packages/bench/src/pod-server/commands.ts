import { copiedFiles } from "../bench-pod.js";
import { madeArchive } from "./archive.js";
import { ArchiveCounter } from "./archive-counter.js";
import { channelFrames, flood } from "./flood.js";
import type { ServerSocket } from "./server-socket.js";

/** Subprotocols of sessions; client-node offers both. */
export const sessionProtocols = ["v5.channel.k8s.io", "v4.channel.k8s.io"] as const;

const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, close: 255 } as const;

/** Bytes of an archive per message. */
const pieceBytes = 32 * 1024;

/** Runs a command of the pod: `true`, `test`, `output <bytes>`, and the two ways of `tar`. */
export async function runCommand(socket: ServerSocket, command: readonly string[]): Promise<void> {
  const [program, first = ""] = command;
  if (program === "tar" && first.includes("x")) {
    await extract(socket);
    return;
  }
  socket.read(() => {});
  switch (program) {
    case "true":
    case "test":
      await finish(socket, 0);
      break;
    case "output":
      await flood(socket, channelFrames(channel.stdout), Number(first));
      await finish(socket, 0);
      break;
    case "tar": {
      const archive = madeArchive(command.at(-1) ?? "");
      for (let at = 0; at < archive.byteLength; at += pieceBytes) {
        await socket.send(archive.subarray(at, at + pieceBytes), channel.stdout);
      }
      await finish(socket, 0);
      break;
    }
    default:
      await finish(socket, 127);
  }
}

/** Reads an archive to its end. The command fails unless it has all files with all their bytes. */
async function extract(socket: ServerSocket): Promise<void> {
  const counter = new ArchiveCounter();
  await new Promise<void>((resolve) => {
    socket.read((message) => {
      if (message === undefined || message[0] === channel.close) {
        resolve();
      } else if (message[0] === channel.stdin) {
        counter.push(message.subarray(1));
      }
    });
  });
  const { files, bytes } = counter;
  const isWhole = files === copiedFiles.count && bytes === copiedFiles.count * copiedFiles.bytes;
  if (!isWhole) {
    const text = `the archive has ${files} files and ${bytes} bytes\n`;
    await socket.send(Buffer.from(text), channel.stderr);
  }
  await finish(socket, isWhole ? 0 : 1);
}

/** Sends the status of a command and closes the connection. */
async function finish(socket: ServerSocket, exitCode: number): Promise<void> {
  const status =
    exitCode === 0
      ? { metadata: {}, status: "Success" }
      : {
          metadata: {},
          status: "Failure",
          message: `command terminated with exit code ${exitCode}`,
          reason: "NonZeroExitCode",
          details: { causes: [{ reason: "ExitCode", message: String(exitCode) }] },
        };
  await socket.send(Buffer.from(JSON.stringify(status)), channel.error);
  socket.close();
}
