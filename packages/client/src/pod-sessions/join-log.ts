import { type LinkedAbort, linkAbort } from "@typekube/core/internal";
import type { WebSocketConnection } from "@typekube/transport/internal";
import { LogDecoder } from "../pod-logs/log-decoder.js";
import type { LogOptions } from "../pod-logs/log-options.js";
import type { LogView } from "../pod-logs/log-view.js";
import { openReading, readBody } from "../pod-logs/read-log.js";
import type { PodTarget } from "../pod-target/pod-target.js";
import { emitWarning } from "../request/warnings.js";
import { channels } from "./channels.js";
import { overlapStart, repeatsAll } from "./overlap.js";

/** Milliseconds in which an attached container must repeat what its log has already, if it does. */
const repeatWithinMs = 1_000;

/** Maximum bytes of new lines that are compared with the attached output, and of that output. */
const maxFreshBytes = 1024 * 1024;
/** Maximum number of those lines: each is compared with many others. */
const maxFreshLines = 10_000;

/** Bytes that a message counts in addition to its own. */
const messageOverhead = 128;

/** A message of a session. */
export type SocketMessage = NonNullable<Awaited<ReturnType<WebSocketConnection["next"]>>>;

/** Messages that were read while the log was joined; `pending` is the read in progress. */
export interface JoinedMessages {
  readonly messages: readonly SocketMessage[];
  readonly pending: Promise<SocketMessage | undefined> | undefined;
}

/**
 * Puts the log in front of the output of an attached session. Its signal is aborted when the session is left; a container
 * that ends meanwhile has its whole log.
 */
export type JoinLog = (
  connection: WebSocketConnection,
  deliver: (bytes: Buffer) => Promise<void> | undefined,
  left: AbortSignal,
) => Promise<JoinedMessages>;

interface TimedLine {
  readonly time: string;
  readonly bytes: Buffer;
}

const view: LogView<TimedLine> = {
  line: (bytes, start, text, end, isPart) => ({
    time: bytes.toString("latin1", start, Math.max(start, text - 1)),
    bytes: Buffer.concat([bytes.subarray(text, end), Buffer.from(isPart ? "" : "\n")]),
  }),
  mark: () => undefined,
};

/**
 * Notes the last line of a log, before the container is attached to. The log is read after that: lines up to the noted
 * one were written before the output that is attached, and of later ones those are left out that it repeats.
 *
 * @param hasStderr - `true` when the lines of the log may come on two channels.
 */
export async function joinLog(
  target: PodTarget,
  container: string,
  options: LogOptions,
  hasStderr: boolean,
): Promise<JoinLog> {
  using before = linkAbort(options.signal);
  let last = "";
  for await (const { time } of timedLines(
    target,
    container,
    { ...options, tailLines: 1 },
    before,
  )) {
    last = time || last;
  }
  return async (connection, deliver, left) => {
    using abort = linkAbort(options.signal, left);
    const fresh: Buffer[] = [];
    let freshBytes = 0;
    let isFresh = false;
    for await (const { time, bytes } of timedLines(target, container, options, abort)) {
      isFresh = time === "" ? isFresh : last === "" || isAfter(time, last);
      if (!isFresh) {
        await deliver(bytes);
      } else if (freshBytes < maxFreshBytes && fresh.length < maxFreshLines) {
        fresh.push(bytes);
        freshBytes += bytes.byteLength;
      }
    }
    if (fresh.length === 0) {
      return { messages: [], pending: undefined };
    }
    const attached = await firstOutput(connection, target, hasStderr ? fresh : []);
    const start = overlapStart(fresh, attached.messages.map(outputOf));
    const isFull = freshBytes >= maxFreshBytes || fresh.length >= maxFreshLines;
    if (start === undefined && isFull) {
      const text = "lines between the log and the attached output may be missing or repeated";
      emitWarning(target.context, options, text);
    }
    for (const bytes of fresh.slice(0, start)) {
      await deliver(bytes);
    }
    return attached;
  };
}

async function* timedLines(
  target: PodTarget,
  container: string,
  options: LogOptions,
  { signal }: LinkedAbort,
): AsyncGenerator<TimedLine, void, undefined> {
  const settings = { view, isTimed: true, keepsTime: false };
  const decoder = new LogDecoder({ ...settings, until: undefined, limitBytes: undefined });
  const reading = { target, container, options, decoder, signal };
  const { tailLines } = options;
  const response = await openReading(reading, { container, timestamps: true, tailLines });
  for await (const lines of readBody(reading, response)) {
    yield* lines;
  }
  for (const { time, bytes } of decoder.flush()) {
    yield { time, bytes: bytes.subarray(0, -1) };
  }
}

/** Compares times as the node wrote them, which have nine fractional digits and nearly always the same offset. */
function isAfter(time: string, last: string): boolean {
  return time.slice(29) === last.slice(29) ? time > last : Date.parse(time) > Date.parse(last);
}

/**
 * Reads messages until the container has written a whole line and repeated all of these lines, or for a while. A part of
 * them does not tell where the output begins: those of the other channel may come later.
 */
async function firstOutput(
  connection: WebSocketConnection,
  { context }: PodTarget,
  lines: readonly Buffer[],
): Promise<JoinedMessages> {
  const messages: SocketMessage[] = [];
  const outputs: ReturnType<typeof outputOf>[] = [];
  let bytes = 0;
  let isOver = false;
  let wake = () => {};
  const cancel = context.clock.schedule(repeatWithinMs, () => {
    isOver = true;
    wake();
  });
  try {
    for (;;) {
      const pending = connection.next();
      const timeout = new Promise<"timeout">((resolve) => {
        wake = () => resolve("timeout");
      });
      const message = isOver ? "timeout" : await Promise.race([pending, timeout]);
      if (message === "timeout" || message === undefined) {
        return { messages, pending };
      }
      messages.push(message);
      const output = outputOf(message);
      outputs.push(output);
      // Each message costs a comparison, however small it is.
      bytes += output.bytes.byteLength + messageOverhead;
      const isWhole = output.bytes.includes("\n") && repeatsAll(lines, outputs);
      if (isWhole || bytes > maxFreshBytes) {
        return { messages, pending: undefined };
      }
    }
  } finally {
    cancel();
  }
}

function outputOf(message: SocketMessage): { readonly channel: number; readonly bytes: Buffer } {
  const bytes = message.kind === "binary" ? message.bytes : Buffer.alloc(0);
  const channel = bytes[0] ?? -1;
  const isOutput = channel === channels.stdout || channel === channels.stderr;
  return { channel, bytes: isOutput ? bytes.subarray(1) : Buffer.alloc(0) };
}
