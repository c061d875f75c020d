import type { CallOptions, ClientCore, StdinSource, TerminalSize } from "@typekube/client";
import { loadLogs, loadSessions, PodCalls, type PodTarget } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { targetOf } from "../pods/with-pods.js";
import { ContainerSession } from "./container-session.js";
import { type ContainerIdentity, untilEnded, untilStarted } from "./container-waits.js";
import { logSource } from "./log-source.js";
import type { OutputSource } from "./output-source.js";

/** Milliseconds in which a container must have ended that can't be attached to any more. */
const endedWithinMs = 5_000;

/** How a session with the main process of a container begins. */
export interface StartingOptions extends CallOptions {
  readonly signal: AbortSignal;
  readonly stdin: StdinSource | boolean;
  readonly tty: boolean;
  readonly size: TerminalSize | undefined;
  readonly stdinEnd: "disconnect" | "refuse" | undefined;
}

/**
 * Waits until a container has started, and returns its streams. With input or a terminal it is attached to, after its log
 * so far; otherwise its log is followed, of which nothing is lost, however short its life is.
 *
 * @param onEnd - called when the session is over.
 */
export async function startContainerSession(
  client: ClientCore,
  identity: ContainerIdentity,
  options: StartingOptions,
  onEnd: () => Promise<void>,
): Promise<ContainerSession> {
  const { signal, impersonate, onWarning } = options;
  const { state } = await untilStarted(client, identity, options);
  const target = targetOf(client, identity.namespace, identity.pod);
  const wantsInput = options.stdin !== false || options.tty;
  const attached =
    wantsInput && state?.running !== undefined
      ? await attachedSource(client, target, identity, options)
      : undefined;
  const log = { container: identity.container, impersonate, onWarning };
  const source = attached ?? (await logSource(target, log, signal, await loadLogs()));
  const exitCode = () => untilEnded(client, identity, { signal });
  return new ContainerSession(identity, source, { exitCode, onEnd }, await loadSessions());
}

/** Attaches to a container; `undefined` when it has ended meanwhile. */
async function attachedSource(
  client: ClientCore,
  target: PodTarget,
  identity: ContainerIdentity,
  options: StartingOptions,
): Promise<OutputSource | undefined> {
  const { signal, stdin, tty, size, stdinEnd, impersonate, onWarning } = options;
  const { namespace, pod: name, container } = identity;
  const pod = new PodCalls({ namespace, name, choose: async () => target });
  const call = { signal, impersonate, onWarning };
  // A terminal that is typed on shows what comes: a prompt is in no log.
  const logs = !tty || stdin === false;
  const session = { container, stdin, tty, size, stdinEnd, logs };
  try {
    const attached = await pod.attach({ ...call, ...session });
    return {
      stdin: attached.stdin,
      stdout: attached.stdout,
      stderr: attached.stderr,
      ended: async () => (await attached.result).exitCode,
      resize: (to) => attached.resize(to),
      close: () => attached.close(),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof KubeError) || error.code === "Forbidden") {
      throw error;
    }
    const ended = untilEnded(client, identity, { signal, timeoutMs: endedWithinMs });
    await ended.catch(() => {
      throw error;
    });
    return undefined;
  }
}
