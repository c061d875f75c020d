import type { ScalePaths } from "@typekube/schema";
import type { ServerContext } from "../../context/server-context.js";
import type { AdmissionView, Write } from "../../context/write.js";
import { collectErrors } from "../../errors/field-errors.js";
import {
  badRequest,
  conflict,
  failure,
  internalError,
  invalid,
} from "../../errors/status-errors.js";
import { type ApiObject, normalized } from "../../objects/api-object.js";
import { getPath, isJsonObject, type JsonObject } from "../../objects/json-value.js";
import type { WantedKind } from "../../request/assert-kind.js";
import { bodyBytes, readObject } from "../../request/request-body.js";
import type { ResourceRequest } from "../../request/request-info.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { applyObject } from "../apply/apply.js";
import { readApplyDocument } from "../apply/apply-document.js";
import { admitVirtual } from "../decode/admit-virtual.js";
import { patchTypeOf, readPlainPatch } from "../patch/patch-object.js";
import { existing } from "../read/read-objects.js";
import { validateNotNegative } from "../validate/checks.js";
import { updateObject } from "../write/update-object.js";
import { assertSameName, assertSameNamespace } from "../write/update-preconditions.js";

/** Returns the Scale of a workload: desired and current replicas, and their selector. */
export function scaleOf(
  server: ServerContext,
  { resource, namespace, name }: ResourceRequest,
): JsonObject {
  const object = existing(server, resource, namespace, name);
  if (!isScaled(object, resource)) {
    const path = `.${pathsOf(resource).specReplicas.join(".")}`;
    const why = `the spec replicas field ${JSON.stringify(path)} does not exist`;
    throw failure(500, "InternalError", `Internal error occurred: ${why}`, {
      causes: [{ message: why }],
    });
  }
  return toScale(object, resource);
}

const workloadPaths: ScalePaths = {
  specReplicas: ["spec", "replicas"],
  statusReplicas: ["status", "replicas"],
  labelSelector: ["spec", "selector"],
};

function pathsOf({ defined }: ServedResource): ScalePaths {
  return defined?.scale ?? workloadPaths;
}

function toScale(object: ApiObject, resource: ServedResource): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const { specReplicas, statusReplicas, labelSelector } = pathsOf(resource);
  const found = labelSelector === undefined ? undefined : getPath(object, ...labelSelector);
  const selector = typeof found === "string" ? found : selectorText(found);
  const replicas = getPath(object, ...specReplicas) ?? 0;
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    // Go omits zero replicas from a Scale.
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: getPath(object, ...statusReplicas) ?? 0,
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

const scaleKind: WantedKind = { apiVersion: "autoscaling/v1", kind: "Scale" };

/** Placeholder for the missing replicas of a custom resource while it is patched. */
const unset = -2_147_483_648;

/** Returns whether an object has a replicas field; workloads always count as having one. */
function isScaled(object: ApiObject, { defined }: ServedResource): boolean {
  const path = defined?.scale?.specReplicas;
  return path === undefined || getPath(object, ...path) !== undefined;
}

/**
 * Reads the body of a write to `scale`: a Scale, or a patch of one other than an apply.
 *
 * @returns a function that computes the new Scale from the object stored when it is called.
 */
export async function readScale(
  write: Write,
  body: Uint8Array | undefined,
  contentType: string | undefined,
): Promise<() => JsonObject> {
  const { server, request } = write;
  const schema = await server.schemas({ descriptor: scaleKind, defined: undefined });
  const reading = { ...write, schema };
  if (request.verb === "update") {
    const { kind } = scaleKind;
    const received = await readObject(body, contentType, server.gates, request.resource, kind);
    return () => admitVirtual(server, received.object, scaleKind, reading, received);
  }
  const type = patchTypeOf(contentType, server.gates, request.resource);
  const patch = await readPlainPatch(type === "apply" ? "merge" : type, body);
  const { resource, namespace, name } = request;
  return () => {
    const current = existing(server, resource, namespace, name);
    const scale = toScale(current, resource);
    const { object, provenance } = patch(
      isScaled(current, resource) ? scale : { ...scale, spec: { replicas: unset } },
    );
    if (getPath(object, "spec", "replicas") === unset) {
      const path = `.${pathsOf(resource).specReplicas.join(".")}`;
      throw badRequest(`the spec replicas field ${JSON.stringify(path)} cannot be empty`);
    }
    return admitVirtual(server, object, scaleKind, { ...reading, patch: true }, provenance);
  };
}

/** Writes the replicas of an admitted Scale to its object. */
export function writeScale(write: Write, scale: JsonObject): JsonObject {
  const { server, request } = write;
  const { resource, namespace, name } = request;
  assertSameName(scale, name);
  assertSameNamespace(scale, namespace);
  const current = existing(server, resource, namespace, name);
  const replicas = getPath(scale, "spec", "replicas") ?? 0;
  const version = getPath(scale, "metadata", "resourceVersion");
  assertCount(replicas, request);
  if (version !== undefined && version !== "" && version !== current.metadata.resourceVersion) {
    throw conflict(resource.group, resource.plural, name);
  }
  const { specReplicas } = pathsOf(resource);
  // Replicas that a Scale sets for the first time have no owner.
  const viewed = { ...write, view: scaleView(request) };
  const scaled = isScaled(current, resource) ? viewed : { ...viewed, manage: sameOwners };
  const { object } = updateObject(scaled, withValue(current, specReplicas, replicas) as ApiObject);
  return toScale(object, resource);
}

/** Validates the replicas of a workload's Scale. For a custom resource, the resulting object is validated instead. */
function assertCount(replicas: unknown, { name, resource }: ResourceRequest): void {
  const causes =
    resource.defined === undefined
      ? collectErrors((found) => validateNotNegative(replicas, "spec.replicas", found))
      : [];
  if (causes.length > 0) {
    throw invalid({ group: "autoscaling", kind: "Scale" }, name, causes);
  }
}

/** Returns the form in which plugins admit the scale of an object. */
function scaleView(request: ResourceRequest): AdmissionView {
  const { resource } = request;
  return {
    of: (object) => toScale(object, resource),
    into(object, admitted) {
      const replicas = getPath(admitted, "spec", "replicas") ?? 0;
      if (!Number.isInteger(replicas)) {
        const given = typeof replicas === "number" ? `number ${replicas}` : typeof replicas;
        throw internalError(
          `json: cannot unmarshal ${given} into Go struct field ScaleSpec.spec.replicas of type int32`,
        );
      }
      assertCount(replicas, request);
      return normalized(withValue(object, pathsOf(resource).specReplicas, replicas));
    },
  };
}

function sameOwners(object: ApiObject): ApiObject {
  return object;
}

/** Sets a value at a path, creating missing objects on the way. */
function withValue(
  object: JsonObject,
  [key = "", ...rest]: readonly string[],
  value: unknown,
): JsonObject {
  const inner = isJsonObject(object[key]) ? object[key] : {};
  return { ...object, [key]: rest.length === 0 ? value : withValue(inner, rest, value) };
}

/** Reads the body of an apply to `scale`; the applier then owns the replicas. */
export async function readScaleApply(
  body: Uint8Array | undefined,
  contentType: string | undefined,
): Promise<(write: Write) => JsonObject> {
  const scale = await readApplyDocument(bodyBytes(body), contentType);
  return (write) => {
    if (getPath(scale, "kind") !== "Scale" || getPath(scale, "apiVersion") !== "autoscaling/v1") {
      throw badRequest("invalid object type: an apply to scale takes a Scale of autoscaling/v1");
    }
    const { resource } = write.request;
    const { apiVersion, kind } = resource.descriptor;
    const replicas = getPath(scale, "spec", "replicas");
    assertCount(replicas, write.request);
    const { object } = applyObject(
      { ...write, view: scaleView(write.request) },
      {
        apiVersion,
        kind,
        metadata: getPath(scale, "metadata"),
        ...(replicas === undefined ? {} : withValue({}, pathsOf(resource).specReplicas, replicas)),
      },
    );
    return toScale(object, resource);
  };
}
