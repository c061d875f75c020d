import type { KubeObject, Live } from "@typekube/api";
import type { ClientCore } from "@typekube/client";
import { contextOf } from "@typekube/client/internal";
import { type Clock, type Random, type ScopedWrite, withCallScope } from "@typekube/core/internal";
import type { Controller } from "../definition/controller.js";
import { nameOfKey } from "../definition/object-key.js";
import type { EventDetails, EventRecorder } from "../events/event-recorder.js";
import type { LogEntry } from "../log/log.js";
import type { RunEnd } from "../loop/run-end.js";
import { runOnce } from "../loop/run-once.js";
import { isLiveObject, operationsIn } from "../run/context/run-context.js";
import { ControllerRunner } from "./controller-runner.js";
import { createQueue } from "./create-queue.js";
import type { PlannedWrite } from "./plan.js";

/** An event that a run recorded. */
export interface RunEvent extends EventDetails {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly note: string;
  readonly regarding: KubeObject;
}

/** Result of one run. */
export interface SingleRun {
  readonly end: RunEnd;
  readonly writes: readonly PlannedWrite[];
  readonly events: readonly RunEvent[];
  readonly log: readonly LogEntry[];
  /** The object as the run left it; `undefined` when it does not exist any more. */
  readonly object: Live<KubeObject> | undefined;
}

/** Fills the caches of a controller, reconciles one object once, and ends. */
export async function runControllerOnce(
  client: ClientCore,
  controller: Controller,
  key: string,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): Promise<SingleRun> {
  const writes: PlannedWrite[] = [];
  const recorded: RunEvent[] = [];
  const log: LogEntry[] = [];
  const runner = new ControllerRunner({
    controller,
    client,
    clock,
    random,
    sink: (entry) => log.push(entry),
    events: recorder(recorded),
    queue: createQueue("priority", controller, clock, random, undefined),
    observer: {},
  });
  const { signal } = new AbortController();
  const scope = {
    fieldManager: controller.name,
    onWrite: ({ method, connection, apiVersion, kind, subresource, response }: ScopedWrite) => {
      const place = subresource === undefined ? "" : `/${subresource}`;
      writes.push({ method, kind: `${apiVersion}/${kind}${place}`, response });
      if (isLiveObject(response) && connection === contextOf(client).lifetime) {
        runner.context.caches.get(`${apiVersion}/${kind}`)?.mutated(response);
      }
    },
  };
  try {
    await runner.synced(signal);
    const attempt = {
      attempt: 1,
      isLastAttempt: controller.settings.retry.maxAttempts <= 1,
      causes: { forDebug: [{ type: "trigger" }] },
      random,
    } as const;
    const end = await withCallScope(scope, () => runOnce(runner.context, { key, signal }, attempt));
    return { end, writes, events: recorded, log, object: await objectOf(runner, key) };
  } finally {
    await runner.close();
  }
}

/** Returns an object as it is now: whole, also when the cache keeps some fields only. */
async function objectOf(
  { caches, context }: ControllerRunner,
  key: string,
): Promise<Live<KubeObject> | undefined> {
  const { own } = caches;
  if (own.projection === undefined) {
    return own.get(key);
  }
  const { name, namespace } = nameOfKey(key);
  const found = await operationsIn(context, own.kind.kind, namespace).find(name);
  if (found === undefined) {
    return undefined;
  }
  // Caches don't have them either.
  const { managedFields: _, ...metadata } = found.metadata;
  return { ...found, metadata };
}

function recorder(events: RunEvent[]): EventRecorder {
  const record =
    (type: RunEvent["type"]): EventRecorder["normal"] =>
    (regarding, reason, note, details) =>
      void events.push({ type, reason, note, regarding, ...details });
  return { normal: record("Normal"), warning: record("Warning") };
}
