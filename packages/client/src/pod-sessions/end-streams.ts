import type { Writable } from "node:stream";
import { KubeError } from "@typekube/core";
import type { OutputStream } from "./output-stream.js";

/** Streams of a session. */
export interface SessionStreamSet {
  readonly stdin: Writable | undefined;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

/** Ends the outputs of a session, or destroys all of its streams with the error that ended it. */
export function endStreams({ stdin, stdout, stderr }: SessionStreamSet, error: unknown): void {
  for (const stream of [stdout, stderr]) {
    if (error === undefined) {
      stream.push(null);
    } else {
      stream.destroy(error instanceof Error ? error : KubeError.from(error, "Aborted"));
    }
  }
  if (error !== undefined) {
    stdin?.destroy(error instanceof Error ? error : undefined);
  }
}
