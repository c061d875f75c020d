import { isDeepStrictEqual } from "node:util";
import type {
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigEntry,
  KubeconfigUser,
} from "../kubeconfig.js";

/**
 * What all kubeconfig files say together, to be changed: set, replace and delete entries. Values are not changed in place;
 * `draft.contexts.set(name, { ...draft.contexts.get(name), namespace })` replaces one. Paths are absolute.
 */
export interface KubeconfigDraft {
  currentContext: string | undefined;
  readonly clusters: Map<string, KubeconfigCluster>;
  readonly contexts: Map<string, KubeconfigContext>;
  readonly users: Map<string, KubeconfigUser>;
}

/** The lists of a file, each with the name that its entries have their value under. */
export const entryLists = { clusters: "cluster", contexts: "context", users: "user" } as const;

/** One of {@link entryLists}. */
export type EntryList = keyof typeof entryLists;

/** One entry that is another than before; no value means that it is gone. */
export interface EntryChange {
  readonly list: EntryList;
  readonly name: string;
  /** The file that it came from; absent for a new one. */
  readonly file: string | undefined;
  readonly before: Readonly<Record<string, unknown>> | undefined;
  readonly value: Readonly<Record<string, unknown>> | undefined;
}

/** A draft of what the files say now. */
export function draftOf(kubeconfig: Kubeconfig): KubeconfigDraft {
  const values = <T>(entries: ReadonlyMap<string, KubeconfigEntry<T>>): Map<string, T> =>
    new Map([...entries].map(([name, { value }]) => [name, frozen(value)]));
  return {
    currentContext: kubeconfig.currentContext,
    clusters: values(kubeconfig.clusters),
    contexts: values(kubeconfig.contexts),
    users: values(kubeconfig.users),
  };
}

/** Changed in place it would be what it is compared with, and the change be lost; so that fails. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

/** Every entry of a draft that is another than in the files. */
export function changesOf(draft: KubeconfigDraft, kubeconfig: Kubeconfig): EntryChange[] {
  const changes: EntryChange[] = [];
  for (const list of Object.keys(entryLists) as EntryList[]) {
    const known: ReadonlyMap<
      string,
      KubeconfigEntry<Readonly<Record<string, unknown>>>
    > = kubeconfig[list];
    const now: ReadonlyMap<string, Readonly<Record<string, unknown>>> = draft[list];
    for (const name of new Set([...known.keys(), ...now.keys()])) {
      const before = known.get(name)?.value;
      const value = now.get(name);
      if (!isDeepStrictEqual(plain(before), plain(value))) {
        changes.push({ list, name, file: known.get(name)?.file, before, value });
      }
    }
  }
  return changes;
}

/** Without members that are there but undefined, which no file can hold, and as JSON would have it. */
function plain(value: Readonly<Record<string, unknown>> | undefined): unknown {
  return value === undefined ? undefined : writable(value);
}

/** A value as a file can hold it: copied member by member, since users show `[redacted]` to JSON. */
export function writable(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(writable);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, writable(member)]),
  );
}
