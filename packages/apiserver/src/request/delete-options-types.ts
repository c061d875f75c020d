import { isJsonObject, type JsonObject } from "../objects/json-value.js";

/** A field of a Go struct: the type that Go's errors name, and the values that it holds. */
interface GoField {
  readonly type: string;
  readonly holds: "boolean" | "integer" | "string" | "texts" | { readonly [name: string]: GoField };
}

const preconditions = {
  resourceVersion: { type: "string", holds: "string" },
  uid: { type: "types.UID", holds: "string" },
} as const;

const fields: Readonly<Record<string, GoField>> = {
  dryRun: { type: "[]string", holds: "texts" },
  gracePeriodSeconds: { type: "int64", holds: "integer" },
  ignoreStoreReadErrorWithClusterBreakingPotential: { type: "bool", holds: "boolean" },
  orphanDependents: { type: "bool", holds: "boolean" },
  preconditions: { type: "v1.Preconditions", holds: preconditions },
  propagationPolicy: { type: "v1.DeletionPropagation", holds: "string" },
};

/**
 * Returns Go's error for the first value of a wrong type in DeleteOptions; `undefined` when every value has its type. A
 * value that was ignored instead could turn a dry run into a delete.
 */
export function typeProblemOf(options: JsonObject): string | undefined {
  return problemIn(options, fields, "DeleteOptions.");
}

function problemIn(
  object: JsonObject,
  known: Readonly<Record<string, GoField>>,
  at: string,
): string | undefined {
  for (const [name, value] of Object.entries(object)) {
    const field = Object.hasOwn(known, name) ? known[name] : undefined;
    const problem = field && value !== null && problemOf(value, field, `${at}${name}`);
    if (problem) {
      return problem;
    }
  }
  return undefined;
}

function problemOf(value: unknown, { type, holds }: GoField, at: string): string | undefined {
  if (typeof holds === "object") {
    return isJsonObject(value)
      ? problemIn(value, holds, "Preconditions.preconditions.")
      : mismatch(goKind(value), at, type);
  }
  switch (holds) {
    case "texts": {
      if (!Array.isArray(value)) {
        return mismatch(goKind(value), at, type);
      }
      const wrong: unknown = value.find((item) => item !== null && typeof item !== "string");
      return wrong === undefined ? undefined : mismatch(goKind(wrong), at, "string");
    }
    case "integer":
      if (Number.isSafeInteger(value) || typeof value === "bigint") {
        return undefined;
      }
      return mismatch(typeof value === "number" ? `number ${value}` : goKind(value), at, type);
    case "boolean":
    case "string":
      return typeof value === holds ? undefined : mismatch(goKind(value), at, type);
    default:
      return holds satisfies never;
  }
}

function mismatch(found: string, at: string, type: string): string {
  return `json: cannot unmarshal ${found} into Go struct field ${at} of type ${type}`;
}

/** Returns the name that Go's JSON errors have for a value. */
export function goKind(value: unknown): string {
  if (Array.isArray(value)) {
    return "array";
  }
  switch (typeof value) {
    case "bigint":
      return "number";
    case "boolean":
      return "bool";
    default:
      return typeof value;
  }
}
