import { applyObject, readApplyDocument } from "./apply/apply.js";
import { getPath, isJsonObject, type JsonObject } from "./json-value.js";
import { applyJsonPatch, type JsonPatchOperation } from "./patch/json-patch.js";
import { applyMergePatch } from "./patch/merge-patch.js";
import { patchTypeOf } from "./patch/patch-object.js";
import { existing } from "./read-objects.js";
import { bodyBytes, readObject, textOf } from "./request-body.js";
import type { ResourceRequest } from "./request-info.js";
import type { ServerContext } from "./server-context.js";
import { badRequest, conflict } from "./status-errors.js";
import type { ApiObject } from "./stored-object.js";
import type { Write } from "./write.js";
import { updateObject } from "./write-object.js";

/** The Scale of a workload: how many there should be, how many there are, and how they are found. */
export function scaleOf(
  server: ServerContext,
  { resource, namespace, name }: ResourceRequest,
): JsonObject {
  return toScale(existing(server, resource, namespace, name));
}

function toScale(object: ApiObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = selectorText(getPath(object, "spec", "selector"));
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: getPath(object, "spec", "replicas") ?? 0 },
    status: {
      replicas: getPath(object, "status", "replicas") ?? 0,
      ...(selector === "" ? {} : { selector }),
    },
  };
}

function selectorText(selector: unknown): string {
  const labels = getPath(selector, "matchLabels") ?? selector;
  return isJsonObject(labels)
    ? Object.keys(labels)
        .filter((key) => typeof labels[key] === "string")
        .sort()
        .map((key) => `${key}=${String(labels[key])}`)
        .join(",")
    : "";
}

/** Reads the body of a write to `scale`: a Scale, or a patch of one that is no apply. */
export async function readScale(
  server: ServerContext,
  request: ResourceRequest,
  body: Uint8Array | undefined,
  contentType: string | undefined,
): Promise<JsonObject> {
  if (request.verb === "update") {
    return (await readObject(body, contentType, server.gates, request.resource, "Scale")).object;
  }
  const type = patchTypeOf(contentType, server.gates, request.resource);
  const current = scaleOf(server, request);
  const bytes = bodyBytes(body);
  const patch: unknown = JSON.parse(textOf(bytes));
  const patched =
    type === "json"
      ? applyJsonPatch(current, patch as JsonPatchOperation[])
      : applyMergePatch(current, patch);
  return isJsonObject(patched) ? patched : {};
}

/** Sets the number of replicas of the object behind a Scale. */
export function writeScale(write: Write, scale: JsonObject): JsonObject {
  const { server, request } = write;
  const { resource, namespace, name } = request;
  const current = existing(server, resource, namespace, name);
  const replicas = getPath(scale, "spec", "replicas") ?? 0;
  const version = getPath(scale, "metadata", "resourceVersion");
  if (typeof replicas !== "number") {
    throw badRequest(
      'Scale in version "v1" cannot be handled as a Scale: spec.replicas is no number',
    );
  }
  if (version !== undefined && version !== "" && version !== current.metadata.resourceVersion) {
    throw conflict(resource.group, resource.plural, name);
  }
  const spec = isJsonObject(current["spec"]) ? current["spec"] : {};
  const { object } = updateObject(write, { ...current, spec: { ...spec, replicas } });
  return toScale(object);
}

/** Reads the body of an apply to `scale`; who applies owns the replicas through it. */
export async function readScaleApply(
  body: Uint8Array | undefined,
  contentType: string | undefined,
): Promise<(write: Write) => JsonObject> {
  const scale = await readApplyDocument(bodyBytes(body), contentType);
  return (write) => {
    if (getPath(scale, "kind") !== "Scale" || getPath(scale, "apiVersion") !== "autoscaling/v1") {
      throw badRequest("invalid object type: an apply to scale takes a Scale of autoscaling/v1");
    }
    const { apiVersion, kind } = write.request.resource.descriptor;
    const replicas = getPath(scale, "spec", "replicas");
    const { object } = applyObject(write, {
      apiVersion,
      kind,
      metadata: getPath(scale, "metadata"),
      ...(replicas === undefined ? {} : { spec: { replicas } }),
    });
    return toScale(object);
  };
}
