import type { CheckItem, ManifestValue } from "../items/check-item.js";
import { groupOf, isManifestValue, itemKey, metadataOf, namespaceOf } from "../items/check-item.js";
import { type ReadItem, readItems } from "../items/read-items.js";
import type { ReadSource } from "../options/check-input.js";
import type { CompleteOptions } from "../options/check-options.js";
import type { CheckServer, Verdict } from "./check-server.js";
import { findKind } from "./find-kind.js";
import { installRank, mayBeFoundation, paramKindOf } from "./foundation.js";
import type { OldObjects } from "./old-objects.js";
import type { RunSources } from "./run-sources.js";
import { type InstallCandidate, withoutSecretParams } from "./secret-params.js";
import { ensureNamespace, updateStored } from "./write-item.js";

/** Objects that were installed before the rest is checked. */
export interface Installation {
  /** Items of `crds` and `policies` that a server rejects. */
  readonly invalid: readonly CheckItem[];
  /** Documents of `crds` and `policies` that cannot be read. */
  readonly unreadable: readonly ReadItem[];
  /** Statements about bindings of the snapshot that are not evaluated. */
  readonly notes: readonly string[];
  /** Returns what a server said about an object before it was installed; `undefined` for other objects. */
  verdictOf(server: CheckServer, key: string): Verdict | undefined;
  /** Returns the item of an object that was installed. */
  itemOf(kind: string, name: string): CheckItem | undefined;
}

/** An object to install. */
interface Candidate extends InstallCandidate {
  readonly item: CheckItem;
  readonly rank: number;
  readonly isInput: boolean;
}

/**
 * Installs the objects that a server consults when it checks others: namespaces, definitions, classes, params and policies
 * of the input, and all of `crds` and `policies`. Each is checked before.
 */
export async function install(
  servers: readonly CheckServer[],
  sources: RunSources,
  old: OldObjects,
  options: CompleteOptions,
): Promise<Installation> {
  const unreadable: ReadItem[] = [];
  const { installed: candidates, notes } = withoutSecretParams(
    await candidatesOf(sources, unreadable),
  );
  const verdicts = new Map<CheckServer, Map<string, Verdict>>();
  const invalid = new Set<CheckItem>();
  for (const server of servers) {
    const ofServer = new Map<string, Verdict>();
    verdicts.set(server, ofServer);
    for (const { item, value, isInput } of candidates) {
      const verdict = await installOne(server, value, old, options);
      if (verdict !== undefined) {
        ofServer.set(itemKey(item), verdict);
      }
      if (!isInput && (verdict === undefined || verdict.error !== undefined)) {
        invalid.add(item);
      }
    }
  }
  return {
    invalid: [...invalid],
    unreadable,
    notes,
    verdictOf: (server, key) => verdicts.get(server)?.get(key),
    itemOf: (kind, name) =>
      candidates.find(({ value }) => value.kind === kind && metadataOf(value)["name"] === name)
        ?.item,
  };
}

async function installOne(
  server: CheckServer,
  value: ManifestValue,
  old: OldObjects,
  options: CompleteOptions,
): Promise<Verdict | undefined> {
  const found = findKind(server, value.apiVersion, value.kind);
  if ("problem" in found) {
    return undefined;
  }
  const { resource } = found;
  const namespace = resource.namespaced ? namespaceOf(value) || options.namespace : "";
  ensureNamespace(server, namespace, options.podSecurity);
  const write = { resource, namespace, object: value };
  if (old.of(value, namespace) !== undefined) {
    await old.store(server, resource, namespace, value);
    const verdict = await updateStored(server, resource, namespace, value);
    if (verdict.error === undefined) {
      await updateStored(server, resource, namespace, value, false);
    }
    return verdict;
  }
  const verdict = await server.write({ ...write, dryRun: true });
  if (verdict.error === undefined) {
    await server.write({ ...write, dryRun: false });
  } else if (verdict.error.reason === "AlreadyExists") {
    // A namespace of every cluster, such as kube-system, or an object that is given twice.
    if (value.kind === "Namespace") {
      await updateStored(server, resource, namespace, value, false);
    }
    return { warnings: verdict.warnings };
  }
  return verdict;
}

/** @param unreadable - receives the documents of `crds` and `policies` that cannot be read; those of the input are checked later. */
async function candidatesOf(
  { input, crds, policies, snapshot }: RunSources,
  unreadable: ReadItem[],
): Promise<readonly Candidate[]> {
  const own = await itemsWith(policies, undefined, unreadable);
  const foundations = [
    ...own,
    ...(await itemsWith(crds, undefined, unreadable)),
    ...(await itemsWith(input, mayBeFoundation)),
  ];
  const ofCluster = await itemsWith(snapshot);
  const paramKinds = new Set(
    [...foundations, ...ofCluster].flatMap(({ value }) => paramKindOf(value) ?? []),
  );
  const params =
    paramKinds.size === 0 ? [] : await itemsWith(input, (one) => mentions(one.text, paramKinds));
  const inputs = new Set(input);
  const seen = new Set<string>();
  const all: Candidate[] = [];
  const anyKind = new Set([...policies, ...snapshot]);
  for (const { item, value, source } of [...foundations, ...params, ...ofCluster]) {
    const rank = installRank(value, paramKinds) ?? (anyKind.has(source) ? lowestRank : undefined);
    if (rank === undefined || !isManifestValue(value)) {
      continue;
    }
    const place = itemKey(item);
    const identity = objectKeyOf(value);
    if (!seen.has(place) && !(snapshot.includes(source) && seen.has(identity))) {
      seen.add(place).add(identity);
      const isOfSnapshot = snapshot.includes(source);
      all.push({ item, value, rank, isInput: inputs.has(source), isOfSnapshot });
    }
  }
  return all.sort((a, b) => a.rank - b.rank);
}

function objectKeyOf(value: ManifestValue): string {
  return `${groupOf(value)} ${value.kind} ${namespaceOf(value)}/${String(metadataOf(value)["name"])}`;
}

/** Other objects of `policies` come after definitions and before policies. */
const lowestRank = 7;

function mentions(text: string, paramKinds: ReadonlySet<string>): boolean {
  return [...paramKinds].some((one) => text.includes(one.split(" ")[1] ?? ""));
}

async function itemsWith(
  sources: readonly ReadSource[],
  isWanted?: Parameters<typeof readItems>[1],
  unreadable: ReadItem[] = [],
): Promise<{ item: CheckItem; value: unknown; source: ReadSource }[]> {
  const items: { item: CheckItem; value: unknown; source: ReadSource }[] = [];
  for (const source of sources) {
    for await (const read of readItems(source, isWanted)) {
      if (read.isUnreadable) {
        unreadable.push(read);
      } else {
        items.push({ item: read.item, value: read.item.value, source });
      }
    }
  }
  return items;
}
