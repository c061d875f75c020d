import type { Writable } from "node:stream";
import type { OutputStream, SessionResult, TerminalSize } from "@typekube/client";
import type { loadSessions } from "@typekube/client/internal";
import type { OutputSource } from "./output-source.js";

/** How a session ends. */
export interface SessionEnd {
  /** Waits for the exit code, where the streams did not state it. */
  readonly exitCode: () => Promise<number>;
  /** Called when the session is over, however it ended; called again it does nothing. */
  readonly onEnd: () => Promise<void>;
}

/**
 * A container that `runPod` or `debug` started. Leave it with `await using`, `close()`, or by waiting for its result:
 * all of them delete the pod of `runPod`.
 */
export class ContainerSession implements AsyncDisposable {
  /** Name of the pod. */
  readonly pod: string;
  /** Name of the container. */
  readonly container: string;
  /** Input of the process; `undefined` unless `stdin: true` was given, and when it had ended before. */
  readonly stdin: Writable | undefined;
  /** Output of the process. */
  readonly stdout: OutputStream;
  /** Error output; empty with a terminal, and without `stdin`: it is part of `stdout` then. */
  readonly stderr: OutputStream;
  /**
   * Resolves with the exit code of the container once it has ended. While a caller awaits it, unread output without a
   * reader is dropped.
   *
   * @throws {KubeError} why the session ended without an exit code, or the reason of the signal.
   */
  readonly result: Promise<SessionResult>;
  readonly #source: OutputSource;
  readonly #end: SessionEnd;

  /** @internal */
  constructor(
    { pod, container }: { readonly pod: string; readonly container: string },
    source: OutputSource,
    end: SessionEnd,
    { AwaitedPromise }: Awaited<ReturnType<typeof loadSessions>>,
  ) {
    this.pod = pod;
    this.container = container;
    this.stdin = source.stdin;
    this.stdout = source.stdout;
    this.stderr = source.stderr;
    this.#source = source;
    this.#end = end;
    let begin = (_: Promise<SessionResult>) => {};
    const result = new Promise<SessionResult>((resolve) => {
      begin = resolve;
    });
    let isBegun = false;
    this.result = new AwaitedPromise(result, () => {
      if (!isBegun) {
        isBegun = true;
        begin(this.#run());
      }
    });
  }

  /**
   * Tells the process that its terminal has another size.
   *
   * @throws {KubeError} `InvalidState` for a session without a terminal; `InvalidArgument` for an invalid size.
   */
  async resize(size: TerminalSize): Promise<void> {
    await this.#source.resize(size);
  }

  /** Disconnects, unless the process has ended, and deletes the pod of `runPod`. Idempotent. */
  async close(): Promise<void> {
    try {
      await this.#source.close();
    } finally {
      await this.#end.onEnd();
    }
  }

  /** Closes the session, as {@link close}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #run(): Promise<SessionResult> {
    try {
      const exitCode = (await this.#source.ended()) ?? (await this.#end.exitCode());
      return { exitCode };
    } finally {
      await this.#end.onEnd();
    }
  }
}
