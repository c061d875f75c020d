import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import { isJsonObject, type JsonObject } from "../../../objects/json-value.js";
import { first, isUnsetIn, type Place, type RuleMaker, whenSet } from "./rule.js";

/** Returns the identity of a list item. */
export type Identity = (item: unknown) => string;

/**
 * Creates the rules for updates. They run only for changed values.
 *
 * @param identity - identity of the items, if the field is a list.
 */
export function changeRules(identity: Identity): Readonly<Record<string, RuleMaker>> {
  return {
    immutable: () =>
      first(({ path, isKept }) =>
        isKept ? [cause.invalid(path, null, "field is immutable")] : [],
      ),
    monotonic: () =>
      whenSet(({ path, value, old, isKept }) =>
        isKept && typeof old === "number" && Number(value) < old
          ? [cause.invalid(path, value, `may not be decreased from ${old}`)]
          : [],
      ),
    update: (what, field) =>
      first((place) => {
        if (!place.isKept) {
          return [];
        }
        const isSet = !isUnsetIn(field, place.value);
        const wasSet = !isUnsetIn(field, place.old);
        return refusals[what]?.({ place, isSet, wasSet, identity }) ?? [];
      }),
  };
}

interface Change {
  readonly place: Place;
  readonly isSet: boolean;
  readonly wasSet: boolean;
  readonly identity: Identity;
}

const refusals: Readonly<Record<string, (change: Change) => FieldErrors>> = {
  NoSet: ({ place: { path }, isSet, wasSet }) =>
    isSet && !wasSet ? [cause.invalid(path, null, "field cannot be set once created")] : [],
  NoUnset: ({ place: { path }, isSet, wasSet }) =>
    !isSet && wasSet ? [cause.invalid(path, null, "field cannot be cleared once set")] : [],
  NoModify: ({ place: { path }, isSet, wasSet }) =>
    isSet && wasSet ? [cause.invalid(path, null, "field cannot be modified once set")] : [],
  NoAddItem: ({ place: { path, value, old }, identity }) =>
    missing(old, value, identity).map((at) =>
      cause.forbidden(`${path}[${at}]`, "item may not be added"),
    ),
  NoRemoveItem: ({ place: { path, value, old }, identity }) =>
    missing(value, old, identity).map((at) =>
      // Removed list items have no index any more; removed map entries still have their key.
      cause.forbidden(Array.isArray(old) ? path : `${path}[${at}]`, "item may not be removed"),
    ),
};

/** Returns the indexes or keys of items that `others` lacks. */
function missing(others: unknown, items: unknown, identity: Identity): (number | string)[] {
  if (isJsonObject(items)) {
    const known: JsonObject = isJsonObject(others) ? others : {};
    return Object.keys(items).filter((key) => !Object.hasOwn(known, key));
  }
  const known = new Set(Array.isArray(others) ? others.map(identity) : []);
  return (Array.isArray(items) ? items : []).flatMap((item, at) =>
    known.has(identity(item)) ? [] : [at],
  );
}
