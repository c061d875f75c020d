import { fileURLToPath } from "node:url";
import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { manifestItems } from "@typekube/core/internal";
import type { Client } from "typekube";
import type { ServerContext } from "../context/server-context.js";
import { assertCodeLoaded } from "../custom-resources/load-rules.js";
import { normalized } from "../objects/api-object.js";
import { isJsonObject, type JsonObject, omitKeys } from "../objects/json-value.js";
import { randomUid } from "../objects/random.js";
import { timestamp } from "../objects/timestamp.js";
import { definitionStorage } from "../resources/definition.js";
import type { ServedResource } from "../resources/served-resource.js";
import { forStorage } from "../resources/versions/object-versions.js";
import { objectKey } from "../store/store.js";
import { withPendingCalls } from "../time/pending-call.js";
import { manifestFiles } from "./manifest-files.js";

/** Source of objects to load: YAML or JSON as text, objects, or a file or folder. */
export type LoadSource = string | readonly KubeObject[] | { readonly path: string | URL };

/**
 * Loads objects into a server. An object with a `uid` comes from a server, such as the output of `kubectl get -o yaml`:
 * it is stored unchanged, including status and managedFields, with a new resourceVersion. Any other is applied as by a
 * client, in the namespace `default` unless it names one. Custom resource definitions and namespaces come first.
 *
 * @param client - creates the client that applies.
 * @returns the number of objects.
 * @throws {KubeError} `InvalidArgument` for unreadable input and for kinds that are not served; the message names the
 * object.
 */
export async function load(
  server: ServerContext,
  source: LoadSource,
  client: () => Promise<Client>,
): Promise<number> {
  const objects = (await readLoadSource(source)).flatMap(manifestItems);
  objects.forEach(assertObject);
  const dumped = objects.filter(({ metadata }) => (metadata?.uid ?? "") !== "");
  dumped.forEach(assertStorable);
  for (const object of [...dumped].sort((a, b) => rank(a) - rank(b))) {
    await store(server, object);
  }
  const others = objects.filter((object) => !dumped.includes(object));
  if (others.length > 0) {
    await using applying = await client();
    await applying.applyAll(others, { fieldManager: "typekube-load", force: true });
  }
  return objects.length;
}

/** Reads the objects of a source. */
export async function readLoadSource(source: LoadSource): Promise<readonly KubeObject[]> {
  const { parseManifests } = await import("typekube");
  if (typeof source === "string") {
    return parseManifests(source);
  }
  if (Array.isArray(source)) {
    return source;
  }
  const { readFile } = await import("node:fs/promises");
  const files = await manifestFiles(pathIn(source));
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  return (await Promise.all(texts.map((text) => parseManifests(text)))).flat();
}

/** Returns the path of a source that is neither text nor an array. */
function pathIn(source: unknown): string {
  const { path } = (source ?? {}) as { readonly path?: unknown };
  if (path instanceof URL) {
    return fileURLToPath(path);
  }
  if (typeof path !== "string" || path === "") {
    throw new KubeError(
      "InvalidArgument",
      "load: must be YAML or JSON as text, an array of objects, or { path: the name of a file or folder }",
    );
  }
  return path;
}

function assertObject(object: unknown): void {
  if (!isJsonObject(object)) {
    throw new KubeError("InvalidArgument", "load() got an item that is not an object");
  }
}

/** Checks the fields that become storage keys: they must be strings. YAML parses the name `n` as `false`. */
function assertStorable({ kind, metadata = {} }: KubeObject): void {
  for (const field of ["name", "namespace", "uid"] as const) {
    const value: unknown = metadata[field];
    const isMissing = value === undefined && field === "namespace";
    if (!isMissing && (typeof value !== "string" || !isPathSegment(value))) {
      const shown = JSON.stringify(value) ?? "nothing";
      throw new KubeError(
        "InvalidArgument",
        `${kind} ${metadata.name} cannot be loaded: metadata.${field} is ${shown}, but must be a string without slashes`,
        { hint: "in YAML, values such as n, on and 123 are strings only when quoted" },
      );
    }
  }
}

/** Returns whether a text is allowed as a name at all (apimachinery `IsValidPathSegmentName`). */
function isPathSegment(text: string): boolean {
  return text !== "" && text !== "." && text !== ".." && !/[/%]/.test(text);
}

function rank({ kind }: KubeObject): number {
  const first = ["CustomResourceDefinition", "Namespace"].indexOf(kind ?? "");
  return first === -1 ? 2 : first;
}

async function store(server: ServerContext, object: KubeObject): Promise<void> {
  const resource = resourceOf(server, object);
  const { metadata = {} } = object;
  const { name = "", uid } = metadata;
  const namespace = resource.namespaced ? (metadata.namespace ?? "default") : "";
  const whole = normalized({
    ...(object as JsonObject),
    metadata: {
      ...omitKeys(metadata as JsonObject, "resourceVersion", "selfLink"),
      ...(namespace === "" ? {} : { namespace }),
      uid: uid ?? randomUid(server.random),
      creationTimestamp: metadata.creationTimestamp ?? timestamp(server.clock),
    },
  });
  if (resource.storage === definitionStorage) {
    await withPendingCalls(() => assertCodeLoaded(whole));
  }
  const form = await server.forms(resource);
  const typed = form === undefined ? whole : form.of(whole);
  const stored = await withPendingCalls(() => forStorage(typed, resource));
  server.store.put(resource.storage, objectKey(namespace, name), stored);
}

function resourceOf({ registry }: ServerContext, object: KubeObject): ServedResource {
  const { apiVersion = "", kind = "", metadata } = object;
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  const resource = registry
    .ofVersion(group, version)
    .find(({ descriptor }) => descriptor.kind === kind && descriptor.verbs.includes("list"));
  if (resource === undefined) {
    throw new KubeError(
      "InvalidArgument",
      `${kind} ${metadata?.name ?? ""} cannot be loaded: the server does not serve ${kind} of ${apiVersion}`,
    );
  }
  return resource;
}
