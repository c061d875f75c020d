import type { KubeObject, Live } from "@typekube/api";
import { KubeError } from "@typekube/core";
import type { ApiObject } from "../../objects/api-object.js";
import { getPath, isJsonObject, type JsonObject, jsonEqual } from "../../objects/json-value.js";
import { timestamp } from "../../objects/timestamp.js";
import { applyMergePatch } from "../../phases/patch/merge-patch.js";
import { boundPod } from "../../phases/write/bind-pod.js";
import { servedResource } from "../../resources/served-resource.js";
import { objectKey } from "../../store/store.js";
import { type Controller, type Reconciled, reactionDelayMs } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import type { ObjectWriter } from "../runtime/object-writer.js";
import type { Stage } from "./stage.js";

/**
 * Consecutive immediate steps of an object, each triggered by the previous one, after which the stages count as an
 * endless loop.
 */
const maxStepsInRow = 100;

/** Moves the objects of one storage through their stages. */
export function createStageController(
  { server, events }: ControllerParts,
  storage: string,
  stages: readonly Stage[],
  writerOf: (manager: string) => ObjectWriter,
): Controller {
  const { clock, store } = server;
  /** By key: the stage whose condition holds, its configured delay, and its due time. */
  const waiting = new Map<
    string,
    { readonly stage: Stage; readonly own: number; readonly due: number }
  >();
  /** By key: number of consecutive steps, and the resourceVersion written by the last one. */
  const steps = new Map<string, { readonly count: number; readonly wrote: string | undefined }>();

  const reconcile = async (key: string): Promise<Reconciled> => {
    const object = store.collection(storage).get(key);
    const next = object && stages.find(({ options }) => options.when?.(live(object)) ?? true);
    if (object === undefined || next === undefined) {
      waiting.delete(key);
      steps.delete(key);
      return undefined;
    }
    const now = clock.now();
    const known = waiting.get(key);
    const { own, due } = known?.stage === next ? known : begin(key, next, object, now);
    if (due > now) {
      return own > 0 ? due - now : { afterMs: due - now, kind: "reaction" };
    }
    const count = stepOf(key, object, own);
    await take(next, object);
    // Not before: a step that failed is retried at once when its back-off is over.
    waiting.delete(key);
    steps.set(key, { count, wrote: store.collection(storage).get(key)?.metadata.resourceVersion });
    return undefined;
  };

  /** Starts a stage's delay: its configured one, or the reaction delay. */
  const begin = (key: string, stage: Stage, object: ApiObject, now: number) => {
    const { after = 0 } = stage.options;
    const own = typeof after === "function" ? after(live(object)) : after;
    const state = { stage, own, due: now + (own > 0 ? own : reactionDelayMs) };
    waiting.set(key, state);
    return state;
  };

  const stepOf = (key: string, { metadata }: ApiObject, own: number): number => {
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
  };

  const take = async ({ options }: Stage, object: ApiObject): Promise<void> => {
    const writer = writerOf(options.manager ?? "stages");
    await writer.prepare([storage]);
    const patch = options.set?.(live(object), { now: timestamp(clock) });
    if (isJsonObject(patch)) {
      write(writer, object, patch);
    }
    const component = options.manager ?? "stages";
    for (const { component: source = component, host, ...text } of options.events?.(live(object)) ??
      []) {
      events.record(object, text, { component: source, ...(host === undefined ? {} : { host }) });
    }
    if (options.delete === true) {
      const { namespace = "", name = "", uid } = object.metadata;
      const current = writer.get(storage, namespace, name);
      if (current !== undefined) {
        writer.delete(storage, current, { gracePeriodSeconds: 0, uid });
      }
    }
  };

  const write = (writer: ObjectWriter, object: ApiObject, patch: JsonObject) => {
    const { namespace = "", name = "" } = object.metadata;
    const key = objectKey(namespace, name);
    const node = getPath(patch, "spec", "nodeName");
    if (
      storage === "pods" &&
      typeof node === "string" &&
      (getPath(object, "spec", "nodeName") ?? "") === ""
    ) {
      // No regular write of a pod may set its node; a scheduler uses the `binding` subresource.
      store.put(storage, key, boundPod(server, object, { target: { name: node } }));
    }
    const before = store.collection(storage).get(key) ?? object;
    const wanted = applyMergePatch(before, patch) as ApiObject;
    const hasStatus = writer.resourceOf(storage)?.hasStatus === true;
    const stored = writer.update(storage, wanted);
    if (hasStatus && !jsonEqual(wanted["status"], stored["status"])) {
      writer.update(storage, { ...stored, status: wanted["status"] }, "status");
    }
  };

  return {
    name: `stages of ${storage}`,
    follows: [storage],
    // A stage's delay begins with the change itself.
    delayMs: 0,
    keysOf: ({ key }) => [key],
    reconcile,
  };
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

function live(object: ApiObject): Live<KubeObject> {
  return object as unknown as Live<KubeObject>;
}
