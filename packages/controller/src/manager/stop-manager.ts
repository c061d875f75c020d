import { KubeError } from "@typekube/core";
import { type Clock, monotonicNow, sleep } from "@typekube/core/internal";
import type { ManagerParts } from "./manager-parts.js";

/** Milliseconds in which pending events are written at the stop. */
const maxFlushMs = 2_000;

/**
 * Ends all parts of a manager in order, within its grace. What is late is left as it is: another process must not begin
 * beside the runs that still go on.
 *
 * @returns an error that names the parts that did not stop in time; `undefined` when all have.
 */
export async function stopManager(
  parts: ManagerParts,
  clock: Clock,
  reason: KubeError,
  graceMs: number,
): Promise<KubeError | undefined> {
  const endsAt = monotonicNow(clock) + graceMs;
  const over = new AbortController();
  const grace = sleep(clock, graceMs, over.signal).then(
    () => false,
    () => true,
  );
  const late = new AbortController();
  const leftMs = () => Math.max(0, endsAt - monotonicNow(clock));
  const ended = endInOrder(parts, reason, leftMs, late.signal).then(() => true);
  const isInTime = await Promise.race([ended, grace]);
  over.abort();
  if (isInTime) {
    return undefined;
  }
  late.abort();
  await Promise.all([parts.campaign?.close(false), parts.keeper?.close()]);
  await parts.observability.close(0);
  return overdue(parts, graceMs);
}

/**
 * Ends all parts in order. (controller-runtime's engageStopProcedure)
 *
 * @param leftMs - returns the rest of the grace.
 * @param late - aborts when there is no time left.
 */
async function endInOrder(
  parts: ManagerParts,
  reason: KubeError,
  leftMs: () => number,
  late: AbortSignal,
): Promise<void> {
  const { everywhere, leading, observability, failures } = parts;
  parts.webhooks?.announceStop();
  const runners = [...parts.runners.values()];
  await parts.keeper?.leave();
  const abortedBy = failures.leadershipLost ?? reason;
  for (const { loop } of runners) {
    loop.abort(abortedBy);
  }
  await everywhere.stop(reason);
  await Promise.all([leading.stop(reason), ...runners.map((runner) => runner.drain())]);
  await Promise.all([parts.campaign?.close(true), parts.keeper?.close()]);
  await Promise.all(runners.map((runner) => runner.close()));
  // No API server relies on webhooks of a manager that did not start.
  await parts.webhooks?.stop(parts.isStarted ? late : AbortSignal.abort());
  // A part of the rest, so that a server that does not respond is no reason to be late.
  await observability.close(Math.min(maxFlushMs, leftMs() / 2));
}

function overdue({ everywhere, leading, runners }: ManagerParts, graceMs: number): KubeError {
  const parts = [...everywhere.running, ...leading.running];
  const runs = [...runners].flatMap(([name, { loop }]) =>
    loop.running.map(({ key, sinceMs }) => `${name} ${key} since ${Math.round(sinceMs)} ms`),
  );
  return new KubeError(
    "DeadlineExceeded",
    `the manager did not stop in ${graceMs} ms; still running: ${[...parts, ...runs].join(", ")}`,
    { hint: "end a run when run.signal aborts, or raise graceMs" },
  );
}
