import { isForbidden, KubeError } from "@typekube/core";
import {
  assertOptions,
  isJsonObject,
  type JsonObject,
  type OptionTable,
} from "@typekube/core/internal";
import type { Client } from "typekube";
import { CustomResourceDefinition } from "typekube/api/apiextensions/v1";
import { Namespace } from "typekube/api/core/v1";
import { withoutConversionWebhook } from "../engine/without-webhook.js";
import type { ClusterSnapshot } from "./cluster-snapshot.js";

/** Options of {@link snapshotCluster}. */
export interface SnapshotOptions {
  /** Ends the requests. */
  readonly signal?: AbortSignal | undefined;
}

const snapshotOptions: OptionTable<SnapshotOptions> = { signal: true };

/** Kinds of policies and their bindings, in the order in which they are read. */
const policyKinds = [
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
];

/**
 * Reads what a check needs to know of a cluster: its release, the kinds that it serves, its definitions, its policies with their bindings
 * and params, and the labels of its namespaces. Sends reads only, and reads no Secret.
 *
 * @throws {KubeError} the errors of the requests. What the user may not list is named in `notes` instead.
 */
export async function snapshotCluster(
  client: Client,
  options: SnapshotOptions = {},
): Promise<ClusterSnapshot> {
  assertOptions("snapshotCluster()", options, snapshotOptions);
  const { signal } = options;
  const reader = new SnapshotReader(client, signal);
  const { major, minor } = await client.version({ signal });
  const { resources, failed } = await client.discovery.served({ signal });
  for (const { apiVersion, error } of failed) {
    reader.notes.add(`${apiVersion} is not served at present: ${error.rawMessage}`);
  }
  const served = new Map<string, Set<string>>();
  for (const { apiVersion, kind } of resources) {
    served.set(apiVersion, (served.get(apiVersion) ?? new Set()).add(kind));
  }
  await reader.add(CustomResourceDefinition);
  await reader.add(Namespace);
  const policies: JsonObject[] = [];
  for (const kind of policyKinds) {
    const resource = resources.find(
      (one) => one.group === "admissionregistration.k8s.io" && one.kind === kind,
    );
    if (resource !== undefined) {
      policies.push(...(await reader.add(resource)));
    }
  }
  await reader.addParams(policies);
  return {
    version: `${major}.${Number.parseInt(minor, 10)}`,
    served: Object.fromEntries(
      [...served].sort(byText).map(([apiVersion, kinds]) => [apiVersion, [...kinds].sort()]),
    ),
    objects: [...reader.objects].sort(byText).map(([, object]) => object),
    notes: [...reader.notes].sort(),
  };
}

function byText([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

type Listed = Parameters<Client["resource"]>[0];

/** Which objects of a kind are read. */
interface Selection {
  readonly namespace?: string | undefined;
  readonly fieldSelector?: Readonly<Record<string, string>> | undefined;
  readonly labelSelector?: object | undefined;
}

class SnapshotReader {
  /** Objects by their identity. */
  readonly objects = new Map<string, JsonObject>();
  readonly notes = new Set<string>();
  readonly #client: Client;
  readonly #signal: AbortSignal | undefined;

  constructor(client: Client, signal: AbortSignal | undefined) {
    this.#client = client;
    this.#signal = signal;
  }

  /** Reads objects of a kind; returns them as they are stored in the snapshot. */
  async add(type: Listed, { namespace, ...selectors }: Selection = {}): Promise<JsonObject[]> {
    const { apiVersion, kind } = type as { readonly apiVersion: string; readonly kind: string };
    const found: JsonObject[] = [];
    try {
      const resource =
        namespace === undefined
          ? this.#client.resource({ apiVersion, kind })
          : this.#client.resource({ apiVersion, kind }, namespace);
      // As JSON, so that defaults in schemas keep their numbers.
      const items = resource.items({
        ...selectors,
        encoding: "json",
        signal: this.#signal,
      } as object);
      for await (const item of items) {
        found.push(reduced({ ...(item as object), apiVersion, kind } as JsonObject));
      }
    } catch (error) {
      this.#signal?.throwIfAborted();
      if (!isForbidden(error) && !isMissing(error)) {
        throw error;
      }
      this.notes.add(
        `${apiVersion} ${kind} could not be read: ${KubeError.from(error).rawMessage}`,
      );
    }
    for (const object of found) {
      const { name, namespace: own = "" } = object["metadata"] as JsonObject;
      this.objects.set(`${apiVersion} ${kind} ${String(own)}/${String(name)}`, object);
    }
    return found;
  }

  /** Reads the params that the bindings of policies select. */
  async addParams(policies: readonly JsonObject[]): Promise<void> {
    for (const policy of policies) {
      const { paramKind } = specOf(policy);
      const name = (policy["metadata"] as JsonObject)["name"];
      if (!isJsonObject(paramKind)) {
        continue;
      }
      const { apiVersion, kind } = paramKind as { apiVersion: string; kind: string };
      if (apiVersion === "v1" && kind === "Secret") {
        this.notes.add(`the params of ${String(name)} are Secrets, which are never read`);
        continue;
      }
      const bindings = policies.filter((one) => specOf(one)["policyName"] === name);
      for (const binding of bindings) {
        const { paramRef } = specOf(binding);
        if (isJsonObject(paramRef)) {
          await this.add({ apiVersion, kind }, selectionOf(paramRef));
        }
      }
    }
  }
}

function selectionOf({ name, namespace, selector }: JsonObject): Selection {
  return {
    ...(typeof namespace === "string" && namespace !== "" ? { namespace } : {}),
    ...(typeof name === "string" && name !== ""
      ? { fieldSelector: { "metadata.name": name } }
      : {}),
    ...(isJsonObject(selector) && Object.keys(selector).length > 0
      ? { labelSelector: selector }
      : {}),
  };
}

/** Returns true for a kind that the cluster does not serve: a policy may name one. */
function isMissing(error: unknown): boolean {
  return error instanceof KubeError && error.code === "NotFound";
}

function specOf(object: JsonObject): JsonObject {
  return isJsonObject(object["spec"]) ? object["spec"] : {};
}

/** The annotation without which servers reject definitions in groups of Kubernetes. */
const approval = "api-approved.kubernetes.io";

/** Returns an object without statuses, annotations and what a server sets. */
function reduced(object: JsonObject): JsonObject {
  const { metadata, status: _status, ...rest } = withoutConversionWebhook(object);
  const { name, namespace, labels, annotations } = metadata as JsonObject;
  const approved = isJsonObject(annotations) ? annotations[approval] : undefined;
  const { spec: _spec, ...withoutSpec } = rest;
  return {
    ...(object["kind"] === "Namespace" ? withoutSpec : rest),
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(approved === undefined ? {} : { annotations: { [approval]: approved } }),
    },
  };
}
