import type { KubeObject, Live } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { applyMergePatch } from "../../patch/merge-patch.js";
import { servedResource } from "../../resources/served-resource.js";
import { timestamp } from "../../server-context.js";
import { getPath, isJsonObject, type JsonObject, jsonEqual } from "../../store/json-value.js";
import { objectKey } from "../../store/store.js";
import type { ApiObject } from "../../store/stored-object.js";
import { boundPod } from "../../write/bind-pod.js";
import type { Controller, Reconciled } from "../controller.js";
import type { ControllerParts } from "../controller-parts.js";
import type { ObjectWriter } from "../object-writer.js";
import type { Stage } from "./stage.js";

/** How many steps an object may take without time passing: more, and it goes round in a circle. */
const maxStepsAtOnce = 100;

/** Moves the objects of one place through their stages. */
export function createStageController(
  { server }: ControllerParts,
  storage: string,
  stages: readonly Stage[],
  writerOf: (manager: string) => ObjectWriter,
): Controller {
  const { clock, store } = server;
  /** Since when which stage's condition holds. */
  const waiting = new Map<string, { readonly stage: Stage; readonly due: number }>();
  const steps = new Map<string, { at: number; count: number }>();

  const reconcile = async (key: string): Promise<Reconciled> => {
    const object = store.collection(storage).get(key);
    const next = object && stages.find(({ options }) => options.when?.(live(object)) ?? true);
    if (object === undefined || next === undefined) {
      waiting.delete(key);
      steps.delete(key);
      return undefined;
    }
    const { after = 0 } = next.options;
    const now = clock.now();
    const state = waiting.get(key);
    const due =
      state?.stage === next
        ? state.due
        : now + (typeof after === "function" ? after(live(object)) : after);
    if (due > now) {
      waiting.set(key, { stage: next, due });
      return due - now;
    }
    waiting.delete(key);
    countStep(key, now);
    await take(next, object);
    return undefined;
  };

  const countStep = (key: string, now: number) => {
    const before = steps.get(key);
    const step = before?.at === now ? before : { at: now, count: 0 };
    step.count += 1;
    steps.set(key, step);
    if (step.count > maxStepsAtOnce) {
      throw new KubeError(
        "InvalidArgument",
        `the stages of ${storage} change ${key} again and again: give one of them an end in "when" or time in "after"`,
      );
    }
  };

  const take = async ({ options }: Stage, object: ApiObject): Promise<void> => {
    const writer = writerOf(options.manager ?? "stages");
    await writer.prepare([storage]);
    const patch = options.set?.(live(object), { now: timestamp(clock) });
    if (isJsonObject(patch)) {
      write(writer, object, patch);
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
      // No write of a pod may say where it runs: only a scheduler may, through the subresource for it.
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
    keysOf: ({ key }) => [key],
    reconcile,
  };
}

/** The stages by where the objects of their kinds are kept. */
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
