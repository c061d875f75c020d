import { deepStrictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { Namespace } from "@typekube/api/core/v1";
import { builtInResources } from "@typekube/api/resources";
import { type Encoding, isTable } from "@typekube/client";
import type { ResourceReader } from "@typekube/client/internal";
import { contextOf, readerOf } from "@typekube/client/internal";
import { isAlreadyExists, isNotFound, KubeError, parseManifests } from "@typekube/core";
import { parseMediaType } from "@typekube/core/internal";
import { afterAll, describe, expect, test } from "vitest";
import { widgets } from "../support/widgets.js";
import { type EveryKindSubject, everyKindSubjects } from "./subjects.js";

const namespace = "every-kind";
const encodings = ["yaml", "protobuf", "cbor"] as const satisfies readonly Encoding[];
const manifests = new URL("objects.yaml", import.meta.url);
/**
 * Number of attempts. Servers keep writing some objects (leases, events, statuses), so two reads may have to be
 * repeated.
 */
const maxAttempts = 8;

/** Reads that are compared for each kind. */
const reads = ["get", "list", "watch", "metadata get", "metadata list", "metadata watch"] as const;
type Read = (typeof reads)[number];

for (const subject of await everyKindSubjects()) {
  describe(`every kind in every encoding, ${subject.label}`, () => runOn(subject));
}

function runOn(subject: EveryKindSubject): void {
  const { client } = subject;
  const table = new OutcomeTable();
  const served: ResourceDescriptor[] = [];

  test("creates one object of every kind", { timeout: 480_000 }, async () => {
    await client.resource(Namespace).create({ metadata: { name: namespace } });
    const objects = await parseManifests(readFileSync(manifests, "utf8"));
    const refused: string[] = [];
    for (const object of objects) {
      await create(subject, object).catch((error: unknown) => {
        refused.push(`${object.apiVersion} ${object.kind}: ${(error as Error).message}`);
      });
    }
    expect(refused).toEqual([]);
    for (const descriptor of builtInResources.filter(({ verbs }) => verbs.includes("list"))) {
      if (await isServed(subject, descriptor)) {
        served.push(descriptor);
      }
    }
    served.push(await customResource(subject));
    console.log(`${subject.label}: ${objects.length} objects made, ${served.length} kinds listed`);
    expect(served.length).toBeGreaterThan(50);
  });

  test("ALT1, ALT21, TAB7, GRP1: get, list, watch, metadata and tables return the same as in JSON", {
    timeout: 600_000,
  }, async () => {
    const differences: string[] = [];
    for (const descriptor of served) {
      const what = `${descriptor.apiVersion} ${descriptor.kind}`;
      for (const encoding of encodings) {
        for (const read of reads) {
          const outcome = await compare(subject, descriptor, encoding, read);
          table.note(encoding, read, outcome.name, what);
          if (outcome.difference !== undefined) {
            differences.push(`${what}, ${read} as ${encoding}: ${outcome.difference}`);
          }
        }
        const rows = await compareTables(subject, descriptor, encoding);
        table.note(encoding, "table", rows, what);
      }
    }
    expect(differences).toEqual([]);
  });

  afterAll(async () => {
    console.log(table.show(subject.label));
    await subject[Symbol.asyncDispose]();
  });
}

/** Counts kinds by outcome, encoding and read. */
class OutcomeTable {
  readonly #kinds = new Map<string, string[]>();

  note(encoding: string, read: string, outcome: string, kind: string): void {
    const row = `${encoding.padEnd(8)} | ${read.padEnd(14)} | ${outcome}`;
    this.#kinds.set(row, [...(this.#kinds.get(row) ?? []), kind]);
  }

  /** Formats the table. Rows with few kinds name them, because they are the exceptions. */
  show(title: string): string {
    const rows = [...this.#kinds]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([row, kinds]) => {
        const names = kinds.length <= 6 ? ` (${kinds.join(", ")})` : "";
        return `${row} | ${kinds.length} kinds${names}`;
      });
    return [`every kind in every encoding, ${title}`, ...rows].join("\n");
  }
}

/**
 * Creates a custom resource of the definition in the manifests or, if missing, of the subject's own, and returns its
 * descriptor.
 */
async function customResource({ client }: EveryKindSubject): Promise<ResourceDescriptor> {
  const kinds = [
    { apiVersion: "example.com/v1", kind: "Sample" },
    { apiVersion: widgets.apiVersion, kind: widgets.kind },
  ];
  for (const kind of kinds) {
    try {
      const descriptor = await contextOf(client).discovery.find(kind);
      const spec = { size: 3, free: { anything: [1, 2.5, null, "x"], "": {} } };
      await client
        .resource(kind, namespace)
        .create({ ...kind, metadata: { name: "sample" }, spec });
      return descriptor;
    } catch (error) {
      if (!isNotFound(error)) {
        throw error;
      }
    }
  }
  throw new Error("neither custom resource is served");
}

async function create({ client }: EveryKindSubject, object: KubeObject): Promise<void> {
  const { apiVersion = "", kind = "" } = object;
  const descriptor = builtInResources.find(
    (one) => one.apiVersion === apiVersion && one.kind === kind,
  ) as ResourceDescriptor;
  const typed = descriptor as ResourceDescriptor<KubeObject, "Namespaced", "create">;
  const resource =
    descriptor.scope === "Namespaced"
      ? client.resource(typed, namespace)
      : client.resource(descriptor as ResourceDescriptor<KubeObject, "Cluster", "create">);
  await resource.create(object).catch((error: unknown) => {
    if (!isAlreadyExists(error)) {
      throw error;
    }
  });
}

async function isServed(
  { client }: EveryKindSubject,
  descriptor: ResourceDescriptor,
): Promise<boolean> {
  try {
    for await (const _ of readerOf(client, descriptor).listParts({ limit: 1, encoding: "json" })) {
      return true;
    }
  } catch (error) {
    if (
      error instanceof KubeError &&
      (error.code === "NotFound" || error.code === "MethodNotAllowed")
    ) {
      return false;
    }
    throw error;
  }
  return false;
}

interface Outcome {
  readonly name: string;
  readonly difference?: string;
}

/** Compares a read in JSON with one in another encoding; repeats both when the state changed in between. */
async function compare(
  subject: EveryKindSubject,
  descriptor: ResourceDescriptor,
  encoding: Encoding,
  read: Read,
): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    const expected = await readAs(subject, descriptor, "json", read);
    const actual = await readAs(subject, descriptor, encoding, read);
    if (expected === undefined) {
      return { name: "nothing to read" };
    }
    try {
      deepStrictEqual(actual, expected);
      return { name: `equal, came as ${parseMediaType(subject.lastContentType()).essence}` };
    } catch (error) {
      if (attempt === maxAttempts) {
        return { name: "DIFFERENT", difference: (error as Error).message };
      }
    }
  }
}

async function readAs(
  subject: EveryKindSubject,
  descriptor: ResourceDescriptor,
  encoding: Encoding,
  read: Read,
): Promise<unknown> {
  const view = read.startsWith("metadata") ? "metadata" : "full";
  const reader = readerOf(subject.client, descriptor, { view });
  switch (read) {
    case "get":
    case "metadata get":
      return getFirst(subject, descriptor, encoding, view);
    case "list":
    case "metadata list":
      return listAll(reader, encoding);
    default:
      return descriptor.verbs.includes("watch") ? present(reader, encoding) : undefined;
  }
}

async function listAll(reader: ResourceReader, encoding: Encoding): Promise<unknown> {
  const items: unknown[] = [];
  let last: { metadata?: unknown; kind?: unknown; apiVersion?: unknown } = {};
  for await (const part of reader.listParts({ encoding })) {
    items.push(...part.items);
    last = part;
  }
  return { kind: last.kind, apiVersion: last.apiVersion, items };
}

/** Returns the initial events of a watch, sorted by name. */
async function present(reader: ResourceReader, encoding: Encoding): Promise<unknown> {
  const events: { type: string; name: string; object: unknown }[] = [];
  const options = {
    encoding,
    sendInitialEvents: true,
    resourceVersionMatch: "NotOlderThan",
  } as const;
  for await (const batch of reader.watchBatches(options)) {
    for (const { type, object } of batch) {
      if (type === "BOOKMARK") {
        return events.sort((a, b) => a.name.localeCompare(b.name));
      }
      const { namespace: home, name } = (object as KubeObject).metadata ?? {};
      events.push({ type, name: `${home}/${name}`, object });
    }
  }
  throw new Error("the watch ended without the bookmark that ends the present");
}

async function getFirst(
  { client }: EveryKindSubject,
  descriptor: ResourceDescriptor,
  encoding: Encoding,
  view: "full" | "metadata",
): Promise<unknown> {
  for await (const { items } of readerOf(client, descriptor).listParts({ encoding: "json" })) {
    const named = items.find(({ metadata }) => metadata?.name?.startsWith("sample")) ?? items[0];
    if (named?.metadata?.name !== undefined && descriptor.verbs.includes("get")) {
      const { namespace: home } = named.metadata;
      const resource =
        home === undefined
          ? client.resource(descriptor as ResourceDescriptor<KubeObject, "Cluster", "get" | "list">)
          : client.resource(
              descriptor as ResourceDescriptor<KubeObject, "Namespaced", "get" | "list">,
              home,
            );
      const reading = view === "full" ? resource : resource.metadata();
      return reading.get(named.metadata.name, { encoding });
    }
  }
  return undefined;
}

/** Checks tables, which are JSON or YAML on the wire whatever the client requests. */
async function compareTables(
  { client }: EveryKindSubject,
  descriptor: ResourceDescriptor,
  encoding: Encoding,
): Promise<string> {
  const resource = client
    .with({ encoding })
    .resource(descriptor as ResourceDescriptor<KubeObject, "Namespaced", "list">);
  const table = await resource.table({ includeObject: "None" });
  if (!isTable(table)) {
    return "the objects themselves";
  }
  const { items } = await resource.list({ encoding: "json" });
  expect(table.columnDefinitions.length).toBeGreaterThan(0);
  const rows = table.rows ?? [];
  const width = table.columnDefinitions.length;
  if (rows.some(({ cells }) => cells.length !== width)) {
    return "rows with other cells than columns";
  }
  return Math.abs(rows.length - items.length) <= 1 ? "a row per object" : "NOT the same rows";
}
