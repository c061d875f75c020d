import { createHash } from "node:crypto";
import type { KubeObject } from "@typekube/api";
import type { ApiObject } from "../../../objects/api-object.js";
import { isJsonObject, type JsonObject } from "../../../objects/json-value.js";
import type { Store } from "../../../store/store.js";
import type { Externals } from "../scenario/externals.js";
import { compareTexts } from "./compare-texts.js";
import { plainState } from "./external-state.js";

/** The objects of a world by their keys, without what differs from run to run: uids, times, generated names. */
export interface NormalWorld {
  /** Objects by kind, namespace and name; external systems by name. Several generated names have one key each. */
  readonly objects: ReadonlyMap<string, unknown>;
  /** All of it as text: equal for equal worlds. */
  readonly text: string;
}

/** Keys of objects by their storage. */
export type StoredKeys = ReadonlyMap<string, ReadonlySet<string>>;

/** Objects that were written since the start of a run, and those that the run without faults wrote. */
export class WrittenKeys {
  readonly #keys = new Map<string, Set<string>>();

  constructor(store: Store, expected: StoredKeys = new Map()) {
    for (const [storage, keys] of expected) {
      this.#keys.set(storage, new Set(keys));
    }
    store.onCommit(({ key }, storage) => {
      let keys = this.#keys.get(storage);
      if (keys === undefined) {
        keys = new Set();
        this.#keys.set(storage, keys);
      }
      keys.add(key);
    });
  }

  get all(): StoredKeys {
    return this.#keys;
  }

  /** Returns the objects that were written and exist, by storage and key. */
  objects(store: Store): ApiObject[] {
    const found: ApiObject[] = [];
    for (const [storage, keys] of this.#keys) {
      const collection = store.collection(storage);
      for (const key of keys) {
        const object = collection.get(key);
        if (object !== undefined) {
          found.push(object);
        }
      }
    }
    return found;
  }
}

/** Kinds that record what happened, or who leads. */
const ignoredKinds: ReadonlySet<string> = new Set(["Event", "Lease"]);
/** Dependents that the cluster's own controllers make, by their owners: their number and names depend on what was before. */
const madeByCluster: Readonly<Record<string, readonly string[]>> = {
  "apps/v1 DaemonSet": ["ControllerRevision", "Pod"],
  "apps/v1 Deployment": ["ReplicaSet"],
  "apps/v1 ReplicaSet": ["Pod"],
  "apps/v1 StatefulSet": ["ControllerRevision", "Pod"],
  "batch/v1 CronJob": ["Job"],
  "batch/v1 Job": ["Pod"],
  "v1 Service": ["EndpointSlice"],
};
/** Annotation in which the controller of Deployments counts rollouts. */
const revision = "deployment.kubernetes.io/revision";

/** Returns objects and external systems as they compare between runs. */
export function normalWorld(
  objects: readonly ApiObject[],
  externals: Externals,
  ignore: ((object: KubeObject) => boolean) | undefined,
): NormalWorld {
  const counted = objects.filter(
    (object) =>
      !(ignoredKinds.has(object.kind) || isMadeByCluster(object)) &&
      ignore?.(object as KubeObject) !== true,
  );
  const words = replacements(counted);
  const entries: [string, unknown, string][] = counted.map((object) => {
    const value = normalObject(object, words);
    return [keyOf(object, words), value, JSON.stringify(value)];
  });
  for (const [name, system] of Object.entries(externals)) {
    const value = plainState(system, name);
    entries.push([`external ${name}`, value, JSON.stringify(value)]);
  }
  entries.sort(([a, , x], [b, , y]) => compareTexts(a, b) || compareTexts(x, y));
  const found = new Map<string, unknown>();
  const counts = new Map<string, number>();
  for (const [key, value] of entries) {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    found.set(count === 1 ? key : `${key} (${count})`, value);
  }
  return { objects: found, text: entries.map(([key, , text]) => `${key} ${text}`).join("\n") };
}

/** Returns whether a controller of the cluster made an object. */
function isMadeByCluster({ kind: own, metadata }: ApiObject): boolean {
  const owners = (metadata.ownerReferences ?? []) as readonly {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly controller?: boolean;
  }[];
  return owners.some(
    ({ apiVersion, kind, controller }) =>
      controller === true && madeByCluster[`${apiVersion} ${kind}`]?.includes(own) === true,
  );
}

/** Texts that differ from run to run, with what stands for them. */
interface Words {
  /** Whole texts: uids and generated names. */
  readonly whole: ReadonlyMap<string, string>;
  /** Generated names, which texts such as messages may contain. */
  readonly parts: readonly (readonly [name: string, shown: string])[];
  /** Length of the shortest of {@link parts}: most texts are shorter. */
  readonly shortestPart: number;
}

function replacements(objects: readonly ApiObject[]): Words {
  const words = new Map<string, string>();
  const parts: [string, string][] = [];
  for (const object of objects) {
    const { kind, metadata } = object;
    const { name = "", generateName, namespace, uid } = metadata;
    const shown = generateName === undefined ? name : `${generateName}*`;
    if (generateName !== undefined) {
      words.set(name, shown);
      parts.push([name, shown]);
    }
    if (uid !== undefined) {
      // Names are often made from the first part of a uid.
      parts.push([uid.slice(0, 8), "(uid)"]);
      words.set(uid, `uid of ${[kind, namespace, shown].filter(Boolean).join(" ")}`);
    }
    for (const address of addressesOf(object)) {
      words.set(address, `address of ${[kind, namespace, shown].filter(Boolean).join(" ")}`);
    }
  }
  const shortestPart = Math.min(...parts.map(([name]) => name.length));
  return { whole: words, parts, shortestPart };
}

/** Returns the addresses that the cluster gave to an object. */
function addressesOf({ kind, spec, status }: ApiObject): string[] {
  const { podIP } = (status ?? {}) as { readonly podIP?: string };
  const { clusterIP } = (spec ?? {}) as { readonly clusterIP?: string };
  const address = kind === "Pod" ? podIP : kind === "Service" ? clusterIP : undefined;
  return address === undefined || address === "" || address === "None" ? [] : [address];
}

function keyOf({ kind, metadata }: ApiObject, words: Words): string {
  const { name = "", namespace } = metadata;
  const shown = words.whole.get(name) ?? withoutParts(name, words);
  return [kind, namespace, shown].filter(Boolean).join(" ");
}

const droppedMetadata: ReadonlySet<string> = new Set([
  "creationTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "uid",
]);

function normalObject(object: ApiObject, words: Words): JsonObject {
  const { generation } = object.metadata;
  const normal: JsonObject = {};
  for (const key of Object.keys(object).sort()) {
    const value = object[key];
    normal[key] =
      key === "metadata" && isJsonObject(value)
        ? normalValue(
            Object.fromEntries(
              Object.entries(value).filter(([name]) => !droppedMetadata.has(name)),
            ),
            words,
            generation,
          )
        : isSecretPart(object, key)
          ? masked(value)
          : normalValue(value, words, generation);
  }
  return normal;
}

function isSecretPart({ kind }: ApiObject, key: string): boolean {
  return kind === "Secret" && (key === "data" || key === "stringData");
}

/** Returns what distinguishes the values of a Secret, without the values. */
function masked(value: unknown): unknown {
  const digest = (text: unknown) =>
    `secret ${createHash("sha256").update(String(text)).digest("hex").slice(0, 8)}`;
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, text]) => [key, digest(text)]))
    : value;
}

/** Length of the shortest time. Most texts are shorter. */
const shortestTime = "2000-01-01T00:00:00Z".length;
const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const uid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function normalText(value: string, words: Words): string {
  const word = words.whole.get(value);
  if (word !== undefined) {
    return word;
  }
  if (value.length < shortestTime) {
    return withoutParts(value, words);
  }
  if (time.test(value)) {
    return "a time";
  }
  if (uid.test(value)) {
    return "uid of nothing";
  }
  return withoutParts(value.replace(times, "a time"), words);
}

function withoutParts(value: string, { parts, shortestPart }: Words): string {
  return value.length < shortestPart
    ? value
    : parts.reduce((text, [name, shown]) => text.replaceAll(name, shown), value);
}

function normalValue(value: unknown, words: Words, generation: number | undefined): unknown {
  if (typeof value === "string") {
    return normalText(value, words);
  }
  if (Array.isArray(value)) {
    return value.map((item) => normalValue(item, words, generation));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const normal: JsonObject = {};
  for (const key of Object.keys(value).sort()) {
    if (key === revision) {
      continue;
    }
    normal[key] =
      key === "observedGeneration"
        ? value[key] === generation
          ? "the newest"
          : "an old one"
        : normalValue(value[key], words, generation);
  }
  return normal;
}
