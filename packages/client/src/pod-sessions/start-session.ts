import { KubeError } from "@typekube/core";
import { callScope, linkAbort } from "@typekube/core/internal";
import { callOptionsOf } from "../options/call-options-of.js";
import { chooseContainer } from "../pod-target/choose-container.js";
import { openPodStream } from "../pod-target/open-pod-stream.js";
import type { PodTarget } from "../pod-target/pod-target.js";
import { eitherSignal } from "../request/either-signal.js";
import { sessionProtocols } from "./channels.js";
import { PodSession } from "./session.js";
import type { SessionFacts } from "./session-facts.js";
import { type SessionOptions, type StdinSource, sessionStreams } from "./session-options.js";

/** A session to start. */
export interface SessionStart<Code extends number | undefined>
  extends Pick<
    SessionFacts<Code>,
    "detach" | "filter" | "joinLog" | "readExitCode" | "terminator"
  > {
  readonly kind: "attach" | "exec";
  /** Words of the command; empty for `attach`. */
  readonly command: readonly string[];
  /** `true` opens a stream for the caller; a source is sent and then ended. */
  readonly stdin: StdinSource | boolean;
  readonly options: SessionOptions & { readonly tty?: boolean | undefined };
}

/**
 * Opens a session. Input with an end needs a protocol that can say so, which is known only after the handshake, so only
 * that one is offered then.
 */
export async function startSession<Code extends number | undefined = number>(
  target: PodTarget,
  start: SessionStart<Code>,
): Promise<PodSession<Code>> {
  const { kind, command, stdin, options, ...facts } = start;
  const streams = sessionStreams(options, stdin !== false);
  const container = await chooseContainer(target, options);
  if (options.waitReady === true) {
    await untilRunning(target, container, options);
  }
  const isDisconnecting = options.stdinEnd === "disconnect";
  const hasEnd = typeof stdin !== "boolean";
  const { v5, v4 } = sessionProtocols;
  const protocols: readonly string[] = hasEnd && !isDisconnecting ? [v5] : [v5, v4];
  // A process that is terminated must have said which one it is; an abort would cut the connection before.
  using handshake = facts.terminator && linkAbort(options.signal);
  const signal = eitherSignal(options.signal, callScope()?.signal);
  const connection = await openPodStream(target, {
    subresource: kind,
    query: [
      ...command.map((word): [string, string] => ["command", word]),
      ...(container === undefined ? [] : [["container", container] satisfies [string, string]]),
      ...(["stdin", "stdout", "stderr", "tty"] as const)
        .filter((name) => streams[name])
        .map((name): [string, string] => [name, "true"]),
    ],
    protocols,
    options: handshake === undefined ? options : { ...options, signal: handshake.signal },
  }).catch((error: unknown) => {
    throw protocols.includes(v4) ? error : withStdinEnd(error);
  });
  const { context, namespace, name } = target;
  const session = new PodSession<Code>(connection, {
    kind,
    context,
    namespace,
    pod: name,
    container,
    streams,
    hasStdinStream: stdin === true,
    isDisconnecting,
    signal,
    sessionTimeoutMs: options.sessionTimeoutMs,
    ...facts,
  });
  if (options.size !== undefined) {
    await session.resize(options.size);
  }
  if (hasEnd) {
    void session.sendAll(stdin);
  }
  return session;
}

async function untilRunning(
  { untilRunning }: PodTarget,
  container: string | undefined,
  options: SessionOptions,
): Promise<void> {
  if (untilRunning === undefined) {
    throw new KubeError("InvalidState", "waitReady needs the client of typekube", {
      hint: 'use connect() of "typekube", or wait for the pod yourself',
    });
  }
  await untilRunning(container, callOptionsOf(options));
}

/** An older server refuses version 5 with a bare 403, or selects nothing: both look like other failures. */
function withStdinEnd(error: unknown): unknown {
  if (
    !(error instanceof KubeError) ||
    error.status !== undefined ||
    !["BadRequest", "Decode", "Forbidden"].includes(error.code)
  ) {
    return error;
  }
  const { code, rawMessage, hint, ...more } = error;
  const older =
    'a server before Kubernetes 1.30 cannot end the input of a command: set stdinEnd: "disconnect", or bound the input, as with "head -c"';
  return new KubeError(code, rawMessage, {
    ...more,
    cause: error.cause,
    hint: hint === undefined ? older : `${hint}; ${older}`,
  });
}
