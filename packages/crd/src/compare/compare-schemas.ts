import { isJsonObject, type JsonObject, jsonEqual, stringsOf } from "@typekube/core/internal/json";

/** A difference between the installed definition and another one. */
export interface Change {
  /** Path of the field: `v1: spec.rules[].port`. */
  readonly path: string;
  readonly change: string;
  /** True when objects or clients of the installed definition may not work with the other one. */
  readonly breaking: boolean;
}

/** Keywords of numbers and sizes: whether a smaller value allows less. */
const bounds: Readonly<Record<string, "maximum" | "minimum">> = {
  maxItems: "maximum",
  maxLength: "maximum",
  maxProperties: "maximum",
  maximum: "maximum",
  minItems: "minimum",
  minLength: "minimum",
  minProperties: "minimum",
  minimum: "minimum",
};
/** Keywords whose every change may break objects. */
const opaque = ["allOf", "anyOf", "oneOf", "not", "multipleOf"];
/** Keywords whose removal only allows more. */
const restrictions = ["pattern", "format"];
const flags = [
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
  "x-kubernetes-map-type",
];
const harmless = ["default", "description", "example", "externalDocs", "title"];
/** Keywords that restrict nothing. */
const neutral = ["nullable", "x-kubernetes-preserve-unknown-fields"];
/** Fields that each object has, whatever the schema says. */
const objectFields = ["apiVersion", "kind", "metadata"];

/**
 * Appends the changes from one schema to another, here and below.
 *
 * @param path - path of the schemas; empty, or a prefix that ends with `: `, for those of the whole object.
 */
export function compareSchemas(
  live: JsonObject,
  next: JsonObject,
  path: string,
  changes: Change[],
): void {
  if (jsonEqual(live, next)) {
    return;
  }
  const note = (change: string, breaking: boolean) => changes.push({ path, change, breaking });
  if (live["type"] !== next["type"]) {
    const takesAll =
      next["type"] === undefined && next["x-kubernetes-preserve-unknown-fields"] === true;
    note(`type changed from ${shown(live["type"])} to ${shown(next["type"])}`, !takesAll);
    return;
  }
  compareBounds(live, next, note);
  compareEnums(live, next, note);
  for (const key of restrictions) {
    if (!jsonEqual(live[key], next[key])) {
      note(changeOf(key, live, next), next[key] !== undefined);
    }
  }
  for (const key of [...opaque, ...flags]) {
    if (!jsonEqual(live[key], next[key])) {
      note(changeOf(key, live, next), !(opaque.includes(key) && next[key] === undefined));
    }
  }
  for (const key of harmless) {
    if (!jsonEqual(live[key], next[key])) {
      note(`${key} changed`, false);
    }
  }
  compareFlag("nullable", live, next, note);
  compareFlag("x-kubernetes-preserve-unknown-fields", live, next, note);
  compareRules(live, next, note);
  compareProperties(live, next, path, changes);
  compareNested("items", "[]", live, next, path, changes);
  compareNested("additionalProperties", "[*]", live, next, path, changes);
}

type Note = (change: string, breaking: boolean) => void;

function compareBounds(live: JsonObject, next: JsonObject, note: Note): void {
  for (const [key, side] of Object.entries(bounds)) {
    const exclusive = side === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";
    const isExclusive = (schema: JsonObject) => key === side && schema[exclusive] === true;
    const [from, to] = [live[key], next[key]];
    if (jsonEqual(from, to) && isExclusive(live) === isExclusive(next)) {
      continue;
    }
    const tightens =
      to !== undefined &&
      (from === undefined ||
        (jsonEqual(from, to)
          ? isExclusive(next)
          : side === "minimum"
            ? Number(to) > Number(from)
            : Number(to) < Number(from)));
    note(changeOf(key, live, next), tightens);
  }
}

function compareEnums(live: JsonObject, next: JsonObject, note: Note): void {
  const [from, to] = [live["enum"], next["enum"]];
  if (!Array.isArray(to) || jsonEqual(from, to)) {
    if (from !== undefined && to === undefined) {
      note("enum removed", false);
    }
    return;
  }
  const gone = Array.isArray(from) ? from.filter((value) => !to.includes(value)) : undefined;
  note(
    gone === undefined
      ? "enum added"
      : gone.length === 0
        ? "enum extended"
        : `enum lost ${shown(gone)}`,
    gone === undefined || gone.length > 0,
  );
}

function compareFlag(key: string, live: JsonObject, next: JsonObject, note: Note): void {
  if ((live[key] === true) !== (next[key] === true)) {
    note(`${key} ${next[key] === true ? "added" : "removed"}`, live[key] === true);
  }
}

function compareRules(live: JsonObject, next: JsonObject, note: Note): void {
  const textsOf = (schema: JsonObject) => {
    const rules = schema["x-kubernetes-validations"];
    return Array.isArray(rules) ? rules.filter(isJsonObject).map(({ rule }) => String(rule)) : [];
  };
  const [from, to] = [textsOf(live), textsOf(next)];
  for (const rule of to.filter((one) => !from.includes(one))) {
    note(`rule added: ${rule}`, true);
  }
  for (const rule of from.filter((one) => !to.includes(one))) {
    note(`rule removed: ${rule}`, false);
  }
}

function compareProperties(
  live: JsonObject,
  next: JsonObject,
  path: string,
  changes: Change[],
): void {
  const [from, to] = [live, next].map(({ properties }) =>
    isJsonObject(properties) ? properties : {},
  ) as [JsonObject, JsonObject];
  const keeps = next["x-kubernetes-preserve-unknown-fields"] === true;
  const kept = keeps && live["x-kubernetes-preserve-unknown-fields"] === true;
  const isRoot = /(?:^|: )$/.test(path);
  for (const name of new Set([...Object.keys(to), ...Object.keys(from)])) {
    const at = isRoot ? `${path}${name}` : `${path}.${name}`;
    const [before, after] = [from[name], to[name]];
    if (!Object.hasOwn(to, name)) {
      changes.push({ path: at, change: "field removed", breaking: !keeps });
    } else if (!Object.hasOwn(from, name)) {
      // Objects may hold any value there: unknown fields were kept.
      const narrows = kept && !(isRoot && objectFields.includes(name)) && !takesAnything(after);
      const change = narrows ? "field added where unknown fields were kept" : "field added";
      changes.push({ path: at, change, breaking: narrows });
    } else if (isJsonObject(before) && isJsonObject(after)) {
      compareSchemas(before, after, at, changes);
    }
    const isRequired = (schema: JsonObject) => stringsOf(schema["required"]).includes(name);
    if (isRequired(next) && !isRequired(live)) {
      changes.push({ path: at, change: "became required", breaking: !hasDefault(after) });
    } else if (isRequired(live) && isRequired(next) && hasDefault(before) && !hasDefault(after)) {
      changes.push({ path: at, change: "required without a default", breaking: true });
    } else if (isRequired(live) && !isRequired(next) && Object.hasOwn(to, name)) {
      changes.push({ path: at, change: "became optional", breaking: false });
    }
  }
}

function hasDefault(schema: unknown): boolean {
  return isJsonObject(schema) && schema["default"] !== undefined;
}

/** Returns whether a schema allows and keeps every value. */
function takesAnything(schema: unknown): boolean {
  if (!isJsonObject(schema) || schema["x-kubernetes-preserve-unknown-fields"] !== true) {
    return false;
  }
  return Object.keys(schema).every((key) => harmless.includes(key) || neutral.includes(key));
}

function compareNested(
  key: "additionalProperties" | "items",
  step: string,
  live: JsonObject,
  next: JsonObject,
  path: string,
  changes: Change[],
): void {
  const [from, to] = [live[key], next[key]];
  if (isJsonObject(from) && isJsonObject(to)) {
    compareSchemas(from, to, `${path}${step}`, changes);
  } else if (!jsonEqual(from, to)) {
    changes.push({ path, change: changeOf(key, live, next), breaking: true });
  }
}

function changeOf(key: string, live: JsonObject, next: JsonObject): string {
  const [from, to] = [live[key], next[key]];
  if (from === undefined || to === undefined) {
    return `${key} ${to === undefined ? "removed" : `added: ${shown(to)}`}`;
  }
  return `${key} changed from ${shown(from)} to ${shown(to)}`;
}

function shown(value: unknown): string {
  const text =
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === "bigint" ? String(inner) : inner,
    ) ?? "none";
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
