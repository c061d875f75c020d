import assert from "node:assert/strict";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { isNotFound, KubeError, type StatusCause } from "@typekube/core";
import type { Client, DynamicResourceClient } from "typekube";
import type { ConformanceContext } from "../conformance-case.js";
import { rawRequest } from "./raw-request.js";
import { install } from "./widgets.js";

/** Group of the definitions in custom resource cases. */
export const customGroup = "custom.typekube.dev";

type Version = CustomResourceDefinition["spec"]["versions"][number];

/** Returns a version of a definition, served and stored by default. */
export function version(schema: object, more: Partial<Version> = {}): Version {
  return {
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: schema as never },
    ...more,
  };
}

/** Returns a definition of a kind in the cases' group. */
export function customDefinition(
  kind: string,
  versions: readonly Version[],
  more: Partial<CustomResourceDefinition["spec"]> = {},
): CustomResourceDefinition {
  const plural = `${kind.toLowerCase()}s`;
  return {
    metadata: { name: `${plural}.${customGroup}` },
    spec: {
      group: customGroup,
      scope: "Namespaced",
      names: { kind, plural },
      versions: [...versions],
      ...more,
    },
  };
}

const installed = new WeakMap<Client, Map<string, Promise<void>>>();

/** Returns the client of a kind; installs its definition when the first case on a server needs it. */
export async function customResource(
  { client, namespace }: Pick<ConformanceContext, "client" | "namespace">,
  definition: CustomResourceDefinition,
  versionName = definition.spec.versions[0]?.name ?? "",
): Promise<DynamicResourceClient> {
  let known = installed.get(client);
  if (known === undefined) {
    known = new Map();
    installed.set(client, known);
  }
  const name = definition.metadata?.name ?? "";
  let ready = known.get(name);
  if (ready === undefined) {
    ready = install(client, definition, AbortSignal.timeout(120_000));
    known.set(name, ready);
  }
  await ready;
  const { group, names, scope } = definition.spec;
  const reference = { apiVersion: `${group}/${versionName}`, kind: names.kind };
  return scope === "Cluster"
    ? (client.resource(reference) as DynamicResourceClient)
    : client.resource(reference, namespace);
}

/** Formats a field error as one line. */
export function causeLine({ field, reason, message }: StatusCause): string {
  return `${field} | ${reason} | ${message}`;
}

/** Returns the sorted field errors of a rejected request; real servers visit fields in random order. */
export async function rejectionCauses(work: Promise<unknown>): Promise<string[]> {
  const error = await work.then(
    () => assert.fail("the server agreed to what it must refuse"),
    (caught: unknown) => caught,
  );
  if (!(error instanceof KubeError) || error.code !== "Invalid") {
    throw error;
  }
  return error.causes.map(causeLine).sort();
}

/** Waits until a definition meets a predicate. */
export async function untilDefinition(
  { client, signal }: Pick<ConformanceContext, "client" | "signal">,
  name: string,
  isReady: (definition: CustomResourceDefinition) => boolean,
): Promise<CustomResourceDefinition> {
  const definitions = client.resource(CustomResourceDefinition);
  const fieldSelector = { "metadata.name": name };
  for await (const event of definitions.watch({ fieldSelector, signal })) {
    if (event.type !== "BOOKMARK" && isReady(event.object)) {
      return event.object;
    }
  }
  throw new Error(`the watch ended before ${name} was ready`);
}

/** Returns a condition of a definition as text: `True NoConflicts`. */
export function conditionText(definition: CustomResourceDefinition, type: string): string {
  const found = definition.status?.conditions?.find((condition) => condition.type === type);
  return found === undefined ? "" : `${found.status} ${found.reason}`;
}

/**
 * Deletes a definition and waits until the server no longer serves its kind; on a real server that happens a moment
 * later.
 */
export async function uninstall(
  context: Pick<ConformanceContext, "client" | "signal">,
  name: string,
): Promise<void> {
  const { client, signal } = context;
  const definitions = client.resource(CustomResourceDefinition);
  const { metadata, spec } = await definitions.get(name);
  try {
    await definitions.delete(name);
  } catch (error) {
    if (!isNotFound(error)) {
      throw error;
    }
  }
  const fieldSelector = { "metadata.name": name };
  const { resourceVersion } = metadata;
  for await (const { type } of definitions.watch({ fieldSelector, resourceVersion, signal })) {
    if (type === "DELETED") {
      break;
    }
  }
  for (const served of spec.versions) {
    const path = `/apis/${spec.group}/${served.name}/${spec.names.plural}`;
    while ((await rawRequest(context, { path })).status === 200) {
      signal.throwIfAborted();
    }
  }
}

/** A schema that allows everything. */
export const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** Returns a definition in a group that only one case uses. */
export function ownDefinition(
  namespace: string,
  kind: string,
  ...versions: ReturnType<typeof version>[]
) {
  const group = `${namespace}.typekube.dev`;
  const definition = customDefinition(kind, versions.length === 0 ? [version(free)] : versions, {
    group,
  });
  const name = `${kind.toLowerCase()}s.${group}`;
  return { ...definition, metadata: { name } };
}
