import { KubeError } from "@typekube/core";
import type { ApiObject } from "../../objects/api-object.js";
import { servedResource } from "../../resources/served-resource.js";
import { type Controller, type Reconciled, reactionDelayMs } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import type { ObjectWriter } from "../runtime/object-writer.js";
import type { Stage } from "./stage.js";
import { live, takeStep } from "./take-step.js";

/**
 * Consecutive immediate steps of an object, each triggered by the previous one, after which the stages count as an
 * endless loop.
 */
const maxStepsInRow = 100;

/** State of the stages of one storage. */
export interface StageRunner extends Pick<ControllerParts, "events" | "server"> {
  readonly storage: string;
  readonly stages: readonly Stage[];
  /** Returns the writer with a field manager. */
  readonly writerOf: (manager: string) => ObjectWriter;
  /** The stage whose condition holds, by key. */
  readonly waiting: Map<string, StageDelay>;
  /** Number of consecutive steps and the resourceVersion written by the last one, by key. */
  readonly steps: Map<string, { readonly count: number; readonly wrote: string | undefined }>;
}

/** The delay of a stage that applies to an object. */
interface StageDelay {
  readonly stage: Stage;
  /** Configured milliseconds. */
  readonly own: number;
  /** Time of the server's clock at which the step is taken. */
  readonly due: number;
}

/** Moves the objects of one storage through their stages. */
export function createStageController(
  { server, events }: Pick<ControllerParts, "events" | "server">,
  storage: string,
  stages: readonly Stage[],
  writerOf: (manager: string) => ObjectWriter,
): Controller {
  const runner: StageRunner = {
    server,
    events,
    storage,
    stages,
    writerOf,
    waiting: new Map(),
    steps: new Map(),
  };
  return {
    name: `stages of ${storage}`,
    follows: [storage],
    // A stage's delay begins with the change itself.
    delayMs: 0,
    keysOf: ({ key }) => [key],
    reconcile: (key) => reconcile(runner, key),
  };
}

async function reconcile(runner: StageRunner, key: string): Promise<Reconciled> {
  const { server, storage, stages, waiting, steps } = runner;
  const objects = server.store.collection(storage);
  const object = objects.get(key);
  const next = object && stages.find(({ options }) => options.when?.(live(object)) ?? true);
  if (object === undefined || next === undefined) {
    waiting.delete(key);
    steps.delete(key);
    return undefined;
  }
  const now = server.clock.now();
  const known = waiting.get(key);
  const { own, due } = known?.stage === next ? known : startDelay(runner, key, next, object);
  if (due > now) {
    return own > 0 ? due - now : { afterMs: due - now, kind: "reaction" };
  }
  const count = countStep(runner, key, object, own);
  await takeStep(runner, next, object);
  // Not before: a step that failed is retried at once when its back-off is over.
  waiting.delete(key);
  steps.set(key, { count, wrote: objects.get(key)?.metadata.resourceVersion });
  return undefined;
}

/** Starts a stage's delay: its configured one, or the reaction delay. */
function startDelay(
  { server, waiting }: StageRunner,
  key: string,
  stage: Stage,
  object: ApiObject,
): StageDelay {
  const now = server.clock.now();
  const { after = 0 } = stage.options;
  const own = typeof after === "function" ? after(live(object)) : after;
  const delay = { stage, own, due: now + (own > 0 ? own : reactionDelayMs) };
  waiting.set(key, delay);
  return delay;
}

/**
 * Returns the number of consecutive immediate steps of an object.
 *
 * @throws {KubeError} `InvalidArgument` when the stages form an endless loop.
 */
export function countStep(
  { storage, steps }: Pick<StageRunner, "steps" | "storage">,
  key: string,
  { metadata }: ApiObject,
  own: number,
): number {
  const before = steps.get(key);
  const isOwnDoing = before !== undefined && before.wrote === metadata.resourceVersion;
  const count = own === 0 && isOwnDoing ? before.count + 1 : 1;
  if (count > maxStepsInRow) {
    throw new KubeError(
      "InvalidArgument",
      `the stages of ${storage} change ${key} in an endless loop: end it with "when" or give it time with "after"`,
    );
  }
  return count;
}

/** Groups stages by the storage of their resource. */
export function stagesByStorage(stages: readonly Stage[]): Map<string, Stage[]> {
  const grouped = new Map<string, Stage[]>();
  for (const stage of stages) {
    const { storage } = servedResource(stage.resource, false);
    grouped.set(storage, [...(grouped.get(storage) ?? []), stage]);
  }
  return grouped;
}
