import { withoutCallScope } from "@typekube/core/internal";
import { callOptionsOf } from "../options/call-options-of.js";
import type { PodTarget } from "../pod-target/pod-target.js";
import { emitWarning } from "../request/warnings.js";
import type { NotedProcess, ProcessIdentity } from "./noted-process.js";
import type { Terminator } from "./session-facts.js";
import type { SessionOptions } from "./session-options.js";
import { startSession } from "./start-session.js";

/** Seconds between SIGTERM and SIGKILL. (docker stop: 10 s) */
const killAfterSeconds = 10;
/** Milliseconds in which a process must be known after its session has failed. */
const noteWithinMs = 1_000;
/** Milliseconds in which the signal must be sent. */
const signalWithinMs = 5_000;

/**
 * Ends a process and, where it leads one, its process group. A process that has ended meanwhile is left alone, and one
 * that has its number by now, too. Writes a line once the signal was sent.
 */
const terminatingScript = `p=$1 b=$2 t=$3
runs() {
[ -n "$b" ] || { kill -0 "$p" 2>/dev/null; return; }
s=; { read -r s <"/proc/$p/stat"; } 2>/dev/null
set -- \${s##*) }
[ "$1" != Z ] && [ "\${20}" = "$b" ]
}
send() { kill -s "$1" -- "-$p" 2>/dev/null || kill -s "$1" "$p"; }
runs || exit 0
send TERM || exit
echo sent
i=0
while [ "$i" -lt "$t" ] && runs; do sleep 1 || break; i=$((i+1)); done
if runs; then send KILL; fi`;

/**
 * Terminates a process by a second command: SIGTERM, and SIGKILL after 10 seconds, for which the second command stays.
 * A failure is a warning.
 */
export function terminator(
  target: PodTarget,
  process: NotedProcess,
  options: SessionOptions,
): Terminator {
  const { clock } = target.context;
  return {
    ready: () =>
      new Promise((resolve) => {
        const cancel = clock.schedule(noteWithinMs, resolve);
        void process.noted.then(() => {
          cancel();
          resolve();
        });
      }),
    async terminate() {
      try {
        if (process.identity === undefined) {
          throw new Error("it is not known which process it is");
        }
        const { identity } = process;
        // The scope may have ended, and its signal the session.
        await withoutCallScope(() => terminate(target, identity, options));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        const text = `the command in the pod ${target.name} may still run: terminating it failed: ${why}`;
        emitWarning(target.context, options, text);
      }
    },
  };
}

/** Sends the first signal, for a limited time. */
async function terminate(
  target: PodTarget,
  process: ProcessIdentity,
  options: SessionOptions,
): Promise<void> {
  let cancel = () => {};
  const late = new Promise<never>((_resolve, reject) => {
    const over = () => reject(new Error(`no signal was sent within ${signalWithinMs} ms`));
    cancel = target.context.clock.schedule(signalWithinMs, over);
  });
  try {
    await Promise.race([sendSignal(target, process, options), late]);
  } finally {
    cancel();
  }
}

/** Resolves once the first signal was sent, or the second command has ended. */
async function sendSignal(
  target: PodTarget,
  { pid, startedAt }: ProcessIdentity,
  options: SessionOptions,
): Promise<void> {
  const { signal, ...callOptions } = callOptionsOf(options);
  const session = await startSession(target, {
    kind: "exec",
    command: ["sh", "-c", terminatingScript, "sh", pid, startedAt, String(killAfterSeconds)],
    stdin: false,
    options: { ...callOptions, timeoutMs: signalWithinMs, container: options.container },
  });
  const sent = new Promise<void>((resolve) => session.stdout.once("data", () => resolve()));
  let stderr = "";
  session.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = session.result.then(({ exitCode }) => {
    if (exitCode !== 0) {
      throw new Error(`exit code ${exitCode}: ${stderr.trim()}`);
    }
  });
  await Promise.race([sent, ended]);
}
