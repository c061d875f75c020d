import { KubeError } from "@typekube/core";
import type { PodFiles } from "./pod-files.js";
import { type PodCommand, startInPod, succeeds } from "./run-in-pod.js";

/** Passes $1 bytes of its input on to a command: a server that cannot end the input would leave it waiting. */
const boundScript = 'bytes=$1; shift; head -c "$bytes" | "$@"';

/** Input of a command in a container. */
export interface CommandInput {
  /** Returns the bytes, from their start each time. */
  readonly read: () => AsyncIterable<Uint8Array>;
  /** Number of the bytes. `undefined` where it is not known, which needs `canEndInput`. */
  readonly bytes: number | undefined;
  /** `true` when the server can end the input of a command, as an earlier session showed. */
  readonly canEndInput: boolean;
}

/**
 * Runs a command with input.
 *
 * @throws {KubeError} `CommandFailed` when it fails, or its program is missing; the error of the input.
 */
export async function sendInput(
  files: PodFiles,
  command: readonly string[],
  { read, bytes, canEndInput }: CommandInput,
): Promise<void> {
  const isBounded = !canEndInput && bytes !== undefined;
  const bounded = ["sh", "-c", boundScript, "sh", String(bytes), ...command];
  const started = await startInPod(files, isBounded ? bounded : command, { stdin: true });
  const { session } = started;
  try {
    if (!isBounded && !session.canCloseStdin) {
      // Another server took this session.
      await session.close();
      if (bytes === undefined) {
        throw new KubeError("InvalidState", "this server cannot end the input of a command");
      }
      return await sendInput(files, command, { read, bytes, canEndInput: false });
    }
    await send(started, read());
    await succeeds(command[0] ?? "", started, isBounded ? "sh" : undefined);
  } finally {
    await session.close();
  }
}

/** Sends input until the command ends. */
async function send({ session }: PodCommand, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  session.result.then(over, over);
  for await (const chunk of bytes) {
    if (isOver) {
      return;
    }
    await new Promise<void>((resolve) => session.stdin?.write(chunk, () => resolve()));
  }
  if (session.canCloseStdin) {
    session.stdin?.end();
  }
}
