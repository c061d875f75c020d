import type { KubeObject, Live } from "@typekube/api";
import type { ApiObject } from "../../objects/api-object.js";
import { getPath, isJsonObject, type JsonObject, jsonEqual } from "../../objects/json-value.js";
import { timestamp } from "../../objects/timestamp.js";
import { applyMergePatch } from "../../phases/patch/merge-patch.js";
import { boundPod } from "../../phases/write/bind-pod.js";
import { objectKey } from "../../store/store.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import type { ObjectWriter } from "../runtime/object-writer.js";
import type { Stage } from "./stage.js";

/** The server of a step, and the storage of its object. */
interface StepContext extends Pick<ControllerParts, "events" | "server"> {
  readonly storage: string;
  readonly writerOf: (manager: string) => ObjectWriter;
}

/** Takes one step of an object: writes the stage's change, records its Events, and deletes the object if it says so. */
export async function takeStep(
  { server, events, storage, writerOf }: StepContext,
  { options }: Stage,
  object: ApiObject,
): Promise<void> {
  const manager = options.manager ?? "stages";
  const writer = writerOf(manager);
  await writer.prepare([storage]);
  const patch = options.set?.(live(object), { now: timestamp(server.clock) });
  if (isJsonObject(patch)) {
    writePatch({ server, storage }, writer, object, patch);
  }
  for (const { component = manager, host, ...text } of options.events?.(live(object)) ?? []) {
    events.record(object, text, { component, ...(host === undefined ? {} : { host }) });
  }
  if (options.delete === true) {
    const { namespace = "", name = "", uid } = object.metadata;
    const current = writer.get(storage, namespace, name);
    if (current !== undefined) {
      writer.delete(storage, current, { gracePeriodSeconds: 0, uid });
    }
  }
}

/** Applies a merge patch to an object; `status` is written through the subresource. */
function writePatch(
  { server, storage }: Pick<StepContext, "server" | "storage">,
  writer: ObjectWriter,
  object: ApiObject,
  patch: JsonObject,
): void {
  const { store } = server;
  const { namespace = "", name = "" } = object.metadata;
  const key = objectKey(namespace, name);
  const node = getPath(patch, "spec", "nodeName");
  const isUnbound = storage === "pods" && (getPath(object, "spec", "nodeName") ?? "") === "";
  if (isUnbound && typeof node === "string") {
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
}

/** Returns a stored object as the type that a stage's functions receive. */
export function live(object: ApiObject): Live<KubeObject> {
  return object as unknown as Live<KubeObject>;
}
