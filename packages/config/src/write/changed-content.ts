import { dirname } from "node:path";
import { type EntryChange, type EntryList, entryLists, writable } from "./kubeconfig-draft.js";
import { withRelativePaths } from "./relative-paths.js";

/** The parsed content of a kubeconfig file. */
export type FileContent = Readonly<Record<string, unknown>>;

type Item = Readonly<Record<string, unknown>>;

/** Changes to one file. */
export interface FileChange {
  readonly entries: readonly EntryChange[];
  /** New current context; an empty string removes it. Absent: unchanged. */
  readonly currentContext?: string | undefined;
}

/** Returns the content of a file after a change. Unchanged parts are the same objects. */
export function changedContent(
  content: FileContent | undefined,
  change: FileChange,
  file: string,
): FileContent {
  const next: Record<string, unknown> = { ...(content ?? { apiVersion: "v1", kind: "Config" }) };
  for (const list of Object.keys(entryLists) as EntryList[]) {
    const entries = change.entries.filter((entry) => entry.list === list);
    if (entries.length > 0) {
      next[list] = changedList(itemsOf(next, list), entries, dirname(file));
    }
  }
  if (change.currentContext !== undefined) {
    next["current-context"] = change.currentContext;
  }
  return next;
}

/** Returns the entries of a list; empty when it is absent or null. */
export function itemsOf(content: FileContent, list: string): readonly Item[] {
  const items = content[list];
  return Array.isArray(items) ? (items as Item[]) : [];
}

function changedList(
  items: readonly Item[],
  entries: readonly EntryChange[],
  folder: string,
): Item[] {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const kept = items.flatMap((item) => {
    const entry = byName.get(String(item["name"]));
    if (entry === undefined) {
      return [item];
    }
    byName.delete(entry.name);
    return entry.value === undefined ? [] : [changedItem(item, entry, folder)];
  });
  const added = [...byName.values()].filter((entry) => entry.value !== undefined);
  return [...kept, ...added.map((entry) => changedItem({ name: entry.name }, entry, folder))];
}

function changedItem(item: Item, entry: EntryChange, folder: string): Item {
  const field = entryLists[entry.list];
  const written = item[field] as Item | undefined;
  const value = withRelativePaths(entry.value ?? {}, written, entry.before, folder);
  // Keeps the order of existing fields.
  return { ...item, [field]: writable(value) };
}
