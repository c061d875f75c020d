import type { Live } from "@typekube/api";
import type { Container, EphemeralContainer, Pod } from "@typekube/api/core/v1";
import { KubeError } from "@typekube/core";
import {
  assertOptions,
  flag,
  loadOnce,
  monotonicNow,
  type OptionTable,
  sleep,
} from "@typekube/core/internal";
import { callOptionsOf } from "../options/call-options-of.js";
import { containerInstance } from "../pod-logs/container-instance.js";
import { defaultContainer } from "../pod-target/choose-container.js";
import type { PodTarget } from "../pod-target/pod-target.js";
import { emitWarning } from "../request/warnings.js";
import { detachBy, detachKeys } from "./detach-keys.js";
import type { JoinLog } from "./join-log.js";
import type { PodSession } from "./session.js";
import { type SessionOptions, type StdinSource, sessionOptions } from "./session-options.js";
import { startSession } from "./start-session.js";
import { isStdinSource } from "./stdin-source.js";

const loadJoinLog = loadOnce(() => import("./join-log.js"));

/** Milliseconds in which the pod must state the exit code of its container. */
const exitCodeWithinMs = 5_000;
/** Milliseconds between two reads of the pod. */
const exitCodePollMs = 250;
/** The greatest height of a terminal. */
const maxHeight = 65_535;

/** Options of `attach`. */
export interface AttachOptions extends SessionOptions {
  /** `true` opens `session.stdin`; a source is sent and then ended. Needs `stdin: true` in the container. Default: no stdin. */
  readonly stdin?: StdinSource | boolean | undefined;
  /** Must equal `tty` of the container. Default: that. */
  readonly tty?: boolean | undefined;
  /**
   * Keys in the input that end the session and let the process go on, such as `ctrl-p,ctrl-q`: characters, `ctrl-` with a
   * letter or one of `@[\\]^_`, or `DEL`, separated by commas. They are not sent. The result has `isDetached: true` then.
   * Needs `stdin`. Default: none.
   */
  readonly detachKeys?: string | undefined;
  /**
   * `true` puts the log in front of `stdout`: what the container wrote earlier, standard error too. What the attached
   * output repeats of it is left out. A line that is not complete, such as a prompt, is in no log. Default false.
   */
  readonly logs?: boolean | undefined;
}

/** Names and checks of {@link AttachOptions}. */
const attachOptions: OptionTable<AttachOptions> = {
  ...sessionOptions,
  detachKeys,
  logs: flag,
  stdin: {
    mustBe: "true, a text, bytes or a stream of either",
    isValid: (value) => typeof value === "boolean" || isStdinSource(value),
  },
  tty: flag,
};

/** Attaches to the main process of a container. */
export async function attach(
  target: PodTarget,
  options: AttachOptions,
): Promise<PodSession<number | undefined>> {
  assertOptions("attach()", options, attachOptions);
  const pod = await target.get(callOptionsOf(options));
  const name = options.container ?? defaultContainer(pod) ?? "";
  const container = containerNamed(pod, name);
  const { tty = container.tty ?? false, stdin = false, size } = options;
  if (tty !== (container.tty ?? false)) {
    throw new KubeError(
      "InvalidArgument",
      `tty: the container ${name} has ${tty ? "no" : "a"} terminal`,
    );
  }
  if (stdin !== false && container.stdin !== true) {
    emitWarning(
      target.context,
      options,
      `the container ${name} has no stdin: what is written to it may be lost`,
    );
  }
  if (options.detachKeys !== undefined && stdin === false) {
    throw new KubeError("InvalidArgument", "detachKeys: needs stdin");
  }
  const session = await startSession(target, {
    kind: "attach",
    detach: detachBy(options.detachKeys),
    joinLog: options.logs ? await readLogFirst(target, name, options, tty) : undefined,
    command: [],
    stdin,
    options: { ...options, container: name, tty },
    readExitCode: () => exitCodeOfContainer(target, options, name, pod),
  });
  if (size !== undefined) {
    // A shell that runs already shows its prompt again when the size changes, and it may have this one.
    const { width, height } = size;
    await session.resize({ width, height: height < maxHeight ? height + 1 : height - 1 });
    await session.resize(size);
  }
  return session;
}

/** Prepares to put the log in front of the output. */
async function readLogFirst(
  target: PodTarget,
  name: string,
  options: AttachOptions,
  tty: boolean,
): Promise<JoinLog> {
  if (options.stdout === false) {
    throw new KubeError("InvalidArgument", "logs: needs stdout");
  }
  const { joinLog } = await loadJoinLog();
  const hasStderr = !tty && options.stderr !== false;
  return joinLog(target, name, callOptionsOf(options), hasStderr);
}

function containerNamed({ spec }: Pod, name: string): Container | EphemeralContainer {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
  const all = [...containers, ...initContainers, ...ephemeralContainers];
  const found = all.find((container) => container.name === name);
  if (found === undefined) {
    throw new KubeError("InvalidArgument", `the pod has no container "${name}"`, {
      hint: `it has ${all.map((container) => container.name).join(", ")}`,
    });
  }
  return found;
}

/**
 * Reads the exit code from the pod, since the status of an attached session does not have it.
 *
 * @param before - the pod before it was attached to.
 */
async function exitCodeOfContainer(
  target: PodTarget,
  options: AttachOptions,
  name: string,
  before: Live<Pod>,
): Promise<number | undefined> {
  const { clock } = target.context;
  const endsAt = monotonicNow(clock) + exitCodeWithinMs;
  const restarts = containerInstance(before, name)?.restarts ?? 0;
  for (;;) {
    const pod = await target.get(callOptionsOf(options)).catch(() => undefined);
    if (pod === undefined || pod.metadata.uid !== before.metadata.uid) {
      return undefined;
    }
    const now = containerInstance(pod, name);
    // Before it restarts, a container that runs states how the instance before it ended.
    const isOver = now?.isRunning === false || (now?.restarts ?? 0) > restarts;
    const ended = isOver ? now?.ended?.exitCode : undefined;
    if (ended !== undefined || monotonicNow(clock) >= endsAt) {
      return ended;
    }
    await sleep(clock, exitCodePollMs, options.signal);
  }
}
