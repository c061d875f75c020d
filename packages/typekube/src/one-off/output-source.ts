import type { Writable } from "node:stream";
import type { OutputStream, TerminalSize } from "@typekube/client";

/** Streams of a container: those of an attached session, or its log. */
export interface OutputSource {
  readonly stdin: Writable | undefined;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /**
   * Waits for the end of the output; what has no reader is dropped from then on. Returns the exit code, where the source
   * knows it.
   */
  ended(): Promise<number | undefined>;
  resize(size: TerminalSize): Promise<void>;
  /** Ends the streams, unless they have ended. */
  close(): Promise<void>;
}
