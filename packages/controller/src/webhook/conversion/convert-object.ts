import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { cloneJson, isJsonObject, type JsonObject, jsonEqual } from "@typekube/core/internal";
import type { ConversionHandler } from "./conversion.js";

/** Fields of metadata that a converter may not change. (apiextensions-apiserver `validateConvertedObject`) */
const fixedFields = ["name", "namespace", "uid"] as const;

/** Options of {@link convertObject}. */
export interface ConvertOptions {
  /** Fails also for changes of metadata that the API server would undo silently. Default false. */
  readonly isStrict?: boolean | undefined;
}

/**
 * Converts one object to another version of its kind, by way of the hub. Metadata stays as it was, apart from labels and
 * annotations. (apiextensions-apiserver `restoreObjectMeta`)
 *
 * @throws {KubeError} `Invalid` for a version without converters or a converter that changes fixed fields; otherwise what
 * the converter threw.
 */
export function convertObject(
  handler: ConversionHandler,
  object: KubeObject,
  desired: string,
  options: ConvertOptions = {},
): KubeObject {
  const { group } = handler.kind;
  const from = versionOf(object.apiVersion, group);
  const to = versionOf(desired, group);
  const original = isJsonObject(object.metadata) ? object.metadata : {};
  if (from === to) {
    return object.metadata === original ? object : { ...object, metadata: original };
  }
  // Converters may change what they get.
  let current: KubeObject = { ...cloneJson(object), metadata: cloneJson(original) };
  if (from !== handler.hub) {
    current = checked(spokeOf(handler, from).toHub(current), object, `${group}/${handler.hub}`);
  }
  if (to !== handler.hub) {
    current = checked(spokeOf(handler, to).fromHub(current), object, desired);
  }
  return { ...current, metadata: restored(current, original, options) };
}

function versionOf(apiVersion: string | undefined, group: string): string {
  const [own, version] = String(apiVersion).split("/");
  if (own !== group || version === undefined) {
    throw new KubeError("Invalid", `${apiVersion} is not a version of the group ${group}`);
  }
  return version;
}

function spokeOf({ spokes, hub, kind }: ConversionHandler, version: string) {
  const spoke = spokes.get(version);
  if (spoke === undefined) {
    const known = [hub, ...spokes.keys()].join(", ");
    throw new KubeError("Invalid", `${kind.kind} has no converter for ${version}`, {
      hint: `it has ${known}`,
    });
  }
  return spoke;
}

/** Returns the converter's result in its version, and rejects a result that is another object. */
function checked(result: unknown, before: KubeObject, apiVersion: string): KubeObject {
  if (isThenable(result)) {
    // The error says it all; a rejection of the promise must not end the process.
    Promise.resolve(result).catch(() => undefined);
    throw new KubeError(
      "Invalid",
      `the converter to ${apiVersion} returned a promise: converters are synchronous`,
      {
        hint: "leave async out; a converter has everything it needs in the object",
      },
    );
  }
  if (!isJsonObject(result)) {
    throw new KubeError("Invalid", `the converter to ${apiVersion} returned no object`);
  }
  const kind: unknown = result["kind"] ?? before.kind;
  if (kind !== before.kind) {
    throw new KubeError("Invalid", `the converter to ${apiVersion} changed kind to ${kind}`);
  }
  const old: JsonObject = { ...before.metadata };
  const given = result["metadata"];
  const metadata: JsonObject = isJsonObject(given) ? given : { ...old };
  const changed = fixedFields.find((field) => !jsonEqual(metadata[field], old[field]));
  if (changed !== undefined) {
    throw new KubeError("Invalid", `the converter to ${apiVersion} changed metadata.${changed}`, {
      hint: "a converter may change labels and annotations only",
    });
  }
  return { ...result, apiVersion, kind: before.kind, metadata };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isJsonObject(value) && typeof value["then"] === "function";
}

function restored(
  { metadata = {} }: KubeObject,
  original: JsonObject,
  { isStrict = false }: ConvertOptions,
): JsonObject {
  const { labels: _, annotations: __, ...fixed } = original;
  const { labels, annotations, ...others } = metadata;
  const lost = isStrict
    ? [...new Set([...Object.keys(fixed), ...Object.keys(others)])].find(
        (field) => !jsonEqual(fixed[field], (others as JsonObject)[field]),
      )
    : undefined;
  if (lost !== undefined) {
    throw new KubeError("Invalid", `a converter changed metadata.${lost}`, {
      hint: "the API server keeps only changes of labels and annotations",
    });
  }
  return {
    ...fixed,
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}
