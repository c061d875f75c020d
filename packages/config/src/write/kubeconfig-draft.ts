import { isDeepStrictEqual } from "node:util";
import type {
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigEntry,
  KubeconfigUser,
} from "../kubeconfig/kubeconfig.js";

/**
 * The merged content of all kubeconfig files, for changes: set, replace and delete entries. Values cannot be changed in
 * place; `draft.contexts.set(name, { ...draft.contexts.get(name), namespace })` replaces one. Paths are absolute.
 */
export interface KubeconfigDraft {
  currentContext: string | undefined;
  readonly clusters: Map<string, KubeconfigCluster>;
  readonly contexts: Map<string, KubeconfigContext>;
  readonly users: Map<string, KubeconfigUser>;
}

/** The lists of a file, each with the field that holds an entry's value. */
export const entryLists = { clusters: "cluster", contexts: "context", users: "user" } as const;

/** Name of one of the {@link entryLists}. */
export type EntryList = keyof typeof entryLists;

/** A changed entry. Without a value, the entry is deleted. */
export interface EntryChange {
  readonly list: EntryList;
  readonly name: string;
  /** File that the entry came from; absent for a new entry. */
  readonly file: string | undefined;
  readonly before: Readonly<Record<string, unknown>> | undefined;
  readonly value: Readonly<Record<string, unknown>> | undefined;
}

/** Creates a draft of the current content. */
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

/**
 * Freezes a value deeply. Changes in place would alter the original too, so the comparison would miss them; frozen
 * values throw instead.
 */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

/** Returns the entries of a draft that differ from the files. */
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

/** Normalizes a value for comparison: without undefined members, which files cannot contain, and without toJSON. */
function plain(value: Readonly<Record<string, unknown>> | undefined): unknown {
  return value === undefined ? undefined : writable(value);
}

/** Copies a value for writing to a file: member by member, since `toJSON` of users returns `[redacted]`. */
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
