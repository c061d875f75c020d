import type { ApiObject } from "../objects/api-object.js";
import { getPath, type JsonObject, jsonEqual, stringsOf } from "../objects/json-value.js";

/** The accepted names of a definition, and the condition that reports them. */
export interface NamesDecision {
  readonly accepted: JsonObject;
  readonly reason: string;
  readonly message: string;
  readonly isAccepted: boolean;
}

/**
 * Decides on the names that a definition requests. A name used by another definition of the group is rejected; the old
 * name is kept.
 *
 * @param others - all other definitions of the group.
 */
export function decideNames(object: ApiObject, others: readonly ApiObject[]): NamesDecision {
  const requested = namesIn(object, "spec", "names");
  const before = namesIn(object, "status", "acceptedNames");
  const taken = others.map((other) => namesIn(other, "status", "acceptedNames"));
  const resources = new Set(
    taken.flatMap((names) => [
      text(names, "plural"),
      text(names, "singular"),
      ...shortNames(names),
    ]),
  );
  const kinds = new Set(taken.flatMap((names) => [text(names, "kind"), text(names, "listKind")]));
  const accepted: JsonObject = { ...before };
  let conflict: { reason: string; message: string } | undefined;
  const isTaken = (name: string, own: string, used: ReadonlySet<string>) =>
    name !== own && used.has(name);
  const decide = (key: string, reason: string, used: ReadonlySet<string>) => {
    const name = text(requested, key);
    if (isTaken(name, text(before, key), used)) {
      conflict = { reason, message: `${JSON.stringify(name)} is already in use` };
    } else {
      accepted[key] = name;
    }
  };
  decide("plural", "PluralConflict", resources);
  decide("singular", "SingularConflict", resources);
  const wrong = shortNames(requested).filter(
    (name) => !shortNames(before).includes(name) && resources.has(name),
  );
  if (wrong.length > 0) {
    const each = wrong.map((name) => `${JSON.stringify(name)} is already in use`);
    const message = each.length === 1 ? (each[0] ?? "") : `[${each.join(", ")}]`;
    conflict = { reason: "ShortNamesConflict", message };
  } else {
    copy(accepted, requested, "shortNames");
  }
  decide("kind", "KindConflict", kinds);
  decide("listKind", "ListKindConflict", kinds);
  copy(accepted, requested, "categories");
  return {
    accepted,
    isAccepted: conflict === undefined,
    ...(conflict ?? { reason: "NoConflicts", message: "no conflicts found" }),
  };
}

/** Returns whether the names in the spec are the accepted ones. */
export function areNamesAccepted(object: ApiObject): boolean {
  return jsonEqual(namesIn(object, "spec", "names"), namesIn(object, "status", "acceptedNames"));
}

function namesIn(object: ApiObject, ...path: readonly string[]): JsonObject {
  return (getPath(object, ...path) ?? {}) as JsonObject;
}

function text(names: JsonObject, key: string): string {
  return String(names[key] ?? "");
}

function shortNames(names: JsonObject): string[] {
  return stringsOf(names["shortNames"]);
}

function copy(accepted: JsonObject, requested: JsonObject, key: string): void {
  if (stringsOf(requested[key]).length > 0) {
    accepted[key] = requested[key];
  } else {
    delete accepted[key];
  }
}
