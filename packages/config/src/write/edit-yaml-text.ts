import { isDeepStrictEqual } from "node:util";
import { type FileContent, itemsOf } from "./changed-content.js";
import { type EntryList, entryLists } from "./kubeconfig-draft.js";
import { lineBreakOf } from "./line-break.js";
import { type ListPlace, placesOf, type YamlPlaces } from "./yaml-places.js";

/** A replacement of text; offsets refer to the text before any edit. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Edits the text of a kubeconfig where its content changed. The result is a guess from text positions; callers verify
 * it by parsing.
 *
 * @returns `undefined` when the text has no such positions.
 */
export async function editYamlText(
  text: string,
  before: FileContent,
  after: FileContent,
): Promise<string | undefined> {
  const { dump } = await import("js-yaml");
  const places = await placesOf(text);
  if (!places) {
    return undefined;
  }
  const newline = lineBreakOf(text);
  const written = (value: unknown, indent = 0): string =>
    dump(value, { lineWidth: -1, noRefs: true })
      .split("\n")
      .map((line) => (line === "" ? "" : " ".repeat(indent) + line))
      .join(newline);
  const edits: Edit[] = [];
  for (const list of Object.keys(entryLists) as EntryList[]) {
    if (!isDeepStrictEqual(before[list], after[list])) {
      const found = listEdits(list, before, after, places, written);
      if (!found) {
        return undefined;
      }
      edits.push(...found);
    }
  }
  if (before["current-context"] !== after["current-context"]) {
    edits.push(contextEdit(text, places, written({ "current-context": after["current-context"] })));
  }
  return apply(text, edits, newline);
}

function listEdits(
  list: EntryList,
  before: FileContent,
  after: FileContent,
  places: YamlPlaces,
  written: (value: unknown, indent?: number) => string,
): Edit[] | undefined {
  const place = places.lists.get(list);
  const [old, next] = [itemsOf(before, list), itemsOf(after, list)];
  if (!place || old.length === 0 || next.length === 0) {
    // The list has no entry to insert next to, or will have no entries left.
    const whole = written({ [list]: next });
    return [place ? { ...place.whole, text: whole } : { ...places.end, text: whole }];
  }
  if (place.items.length !== old.length) {
    return undefined;
  }
  return itemEdits(place, old, next, written);
}

function itemEdits(
  place: ListPlace,
  old: readonly FileContent[],
  next: readonly FileContent[],
  written: (value: unknown, indent?: number) => string,
): Edit[] {
  const left = new Map(next.map((item) => [item["name"], item]));
  const edits: Edit[] = [];
  old.forEach((item, i) => {
    const now = left.get(item["name"]);
    left.delete(item["name"]);
    const range = place.items[i];
    if (range && !isDeepStrictEqual(item, now)) {
      edits.push({ ...range, text: now === undefined ? "" : written([now], place.indent) });
    }
  });
  const end = place.items.at(-1)?.end ?? place.whole.end;
  for (const item of left.values()) {
    edits.push({ start: end, end, text: written([item], place.indent) });
  }
  return edits;
}

function contextEdit(text: string, places: YamlPlaces, line: string): Edit {
  const place = places.currentContext;
  if (!place) {
    return { ...places.end, text: line };
  }
  const comment = /\s#.*/.exec(text.slice(place.start, place.end))?.[0].trimEnd() ?? "";
  return { ...place, text: line.replace(/(\r?\n)$/, `${comment}$1`) };
}

/** Applies the edits from last to first; each starts on its own line. */
function apply(text: string, edits: readonly Edit[], newline: string): string {
  const order = edits.map((edit, i) => ({ ...edit, i }));
  order.sort((a, b) => b.start - a.start || b.i - a.i);
  let result = text;
  for (const { start, end, text: part } of order) {
    const head = result.slice(0, start);
    const gap = part !== "" && head !== "" && !head.endsWith("\n") ? newline : "";
    result = head + gap + part + result.slice(end);
  }
  return result;
}
