import type { StatusCause } from "@typekube/core";
import { cause, collectErrors, type FieldErrors } from "@typekube/core/internal/field-errors";
import { getOwn, isJsonObject, type JsonObject, jsonEqual } from "@typekube/core/internal/json";
import type { CompilePattern } from "../structural/compile-pattern.js";
import { propertySchema, type StructuralSchema } from "../structural/structural-schema.js";
import { type Findings, fieldOf, isHidden, type Place } from "./findings.js";
import { matchesEnum } from "./matches-enum.js";
import { type Before, correlatedItem } from "./unchanged.js";
import { validateNumber, validateString } from "./validate-scalar.js";
import { valueCause } from "./value-cause.js";
import { isKnownFormat } from "./value-formats.js";

/** Options of `validateValue`. */
export interface ValidateValueOptions {
  /** Compiles the patterns of the schema. */
  readonly compilePattern: CompilePattern;
  /** Prefix of the paths of errors. Default: empty. */
  readonly root?: string;
  /** The value before an update: unchanged parts may remain invalid. */
  readonly before?: Before | undefined;
}

/** Appends the errors of a value by its schema, with the messages of a real server. */
export function validateValue(
  value: unknown,
  schema: StructuralSchema,
  errors: FieldErrors,
  { compilePattern, root = "", before }: ValidateValueOptions,
): void {
  const seen = new Set<string>();
  errors.push(
    ...validate(value, schema, { root, path: "", compilePattern }, before).causes.filter(
      ({ field, message }) => {
        const key = `${field} ${message}`;
        return !seen.has(key) && seen.add(key);
      },
    ),
  );
}

function validate(
  value: unknown,
  schema: StructuralSchema,
  place: Place,
  before: Before | undefined,
): Findings {
  const findings = check(value, schema, place, before);
  const isUnchanged =
    findings.causes.length > 0 && before !== undefined && jsonEqual(value, before.value);
  return isUnchanged ? { causes: [], matches: findings.matches } : findings;
}

function check(
  value: unknown,
  schema: StructuralSchema,
  place: Place,
  before: Before | undefined,
): Findings {
  const type = typeFindings(value, schema, place);
  if (value === null || value === undefined) {
    return joined(type, none(collectErrors((found) => validateEnum(value, schema, place, found))));
  }
  return joined(
    { causes: type.causes, matches: type.matches + 1 },
    compositions(value, schema, place),
    typeof value === "string" ? validateString(value, schema, place) : nothing,
    typeof value === "number" || typeof value === "bigint"
      ? validateNumber(value, schema, place)
      : nothing,
    Array.isArray(value) ? itemFindings(value, schema, place, before) : nothing,
    { causes: collectErrors((found) => validateEnum(value, schema, place, found)), matches: 1 },
    isJsonObject(value) ? fieldFindings(value, schema, place, before) : nothing,
  );
}

const nothing: Findings = { causes: [], matches: 0 };

function none(causes: StatusCause[]): Findings {
  return { causes, matches: 0 };
}

function joined(...parts: readonly Findings[]): Findings {
  return {
    causes: parts.flatMap(({ causes }) => causes),
    matches: parts.reduce((sum, { matches }) => sum + matches, 0),
  };
}

function typeFindings(value: unknown, schema: StructuralSchema, place: Place): Findings {
  const types = schema.intOrString
    ? ["integer", "string"]
    : schema.type === ""
      ? []
      : [schema.type];
  const wrong = (wanted: string, found: string) =>
    none([
      cause.typeInvalid(
        fieldOf(place),
        found,
        `${place.path} in body must be of type ${wanted}: ${JSON.stringify(found)}`,
      ),
    ]);
  if (types.length === 0) {
    return nothing;
  }
  if (value === null || value === undefined) {
    return schema.nullable ? { causes: [], matches: 1 } : wrong(types.join(","), "null");
  }
  const found = jsonTypeOf(value);
  const format = String(schema.source["format"] ?? "");
  const fits = types.includes(found) || (found === "integer" && types.includes("number"));
  const isNumeric = types.includes("integer") || types.includes("number");
  if (format !== "" && isKnownFormat(format, schema.type)) {
    if (typeof value !== "string" && !Array.isArray(value) && !fits) {
      const own = found === "integer" ? "int64" : found === "number" ? "float64" : "";
      return wrong(format, own);
    }
    if (!isNumeric && (typeof value === "string" || Array.isArray(value))) {
      return { causes: [], matches: 1 };
    }
  }
  return fits ? { causes: [], matches: 1 } : wrong(types.join(","), found);
}

function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) {
    return "array";
  }
  switch (typeof value) {
    case "boolean":
      return "boolean";
    case "string":
      return "string";
    case "bigint":
      return "integer";
    case "number":
      return Number.isInteger(value) ? "integer" : "number";
    default:
      return "object";
  }
}

function validateEnum(
  value: unknown,
  schema: StructuralSchema,
  place: Place,
  errors: FieldErrors,
): void {
  const values = schema.source["enum"];
  if (
    !Array.isArray(values) ||
    values.length === 0 ||
    values.some((one) => matchesEnum(value, one))
  ) {
    return;
  }
  const shown = values.map((one: unknown) => (typeof one === "string" ? one : JSON.stringify(one)));
  errors.push(valueCause.notSupported(fieldOf(place), value, shown, isHidden(schema, place)));
}

/** Checks `anyOf`, `oneOf`, `allOf` and `not`. */
function compositions(value: unknown, schema: StructuralSchema, place: Place): Findings {
  const { anyOf, oneOf, allOf, not } = schema;
  const causes: StatusCause[] = [];
  let matches = 2;
  const add = (findings: Findings) => {
    causes.push(...findings.causes);
    matches += findings.matches;
  };
  const named = JSON.stringify(place.path);
  const refuse = (why: string) =>
    causes.push(cause.invalid(place.root === "" ? "<nil>" : place.root, "", `${named} ${why}`));
  const each = (schemas: readonly StructuralSchema[]) =>
    schemas.map((part) =>
      // Inside of alternatives, a server does not tolerate errors in unchanged values.
      check(value, part, { ...place, isSecret: isHidden(schema, place) }, undefined),
    );
  if (anyOf.length > 0) {
    const outcomes = each(anyOf);
    const fit = outcomes.find(isFit);
    if (fit === undefined) {
      refuse("must validate at least one schema (anyOf)");
    }
    add(fit ?? best(outcomes));
  }
  if (oneOf.length > 0) {
    const outcomes = each(oneOf);
    const fitting = outcomes.filter(isFit);
    if (fitting.length === 0) {
      refuse("must validate one and only one schema (oneOf). Found none valid");
      add(best(outcomes));
    } else if (fitting.length > 1) {
      refuse(
        `must validate one and only one schema (oneOf). Found ${fitting.length} valid alternatives`,
      );
    } else {
      add(fitting[0] ?? nothing);
    }
  }
  if (allOf.length > 0) {
    const outcomes = each(allOf);
    outcomes.forEach(add);
    const fitting = outcomes.filter(isFit).length;
    if (fitting !== outcomes.length) {
      refuse(`must validate all the schemas (allOf)${fitting === 0 ? ". None validated" : ""}`);
    }
  }
  if (not !== undefined && isFit(check(value, not, place, undefined))) {
    refuse("must not validate the schema (not)");
  }
  return { causes, matches };
}

function isFit({ causes }: Findings): boolean {
  return causes.length === 0;
}

/** Returns the best matching alternative; the first of several. */
function best(outcomes: readonly Findings[]): Findings {
  return outcomes.reduce(
    (most, one) => (one.matches > most.matches ? one : most),
    outcomes[0] ?? nothing,
  );
}

function itemFindings(
  items: readonly unknown[],
  schema: StructuralSchema,
  place: Place,
  before: Before | undefined,
): Findings {
  const { minItems, maxItems } = schema.source;
  const at = (index: number): Place => ({ ...place, path: `${place.path}[${index}]` });
  const inner =
    schema.items === undefined
      ? []
      : items.map((item, index) =>
          validate(
            item,
            schema.items as StructuralSchema,
            at(index),
            correlatedItem(item, schema, before),
          ),
        );
  const own: StatusCause[] = [];
  if (typeof minItems === "number" && items.length < minItems) {
    const why = `${place.path} in body should have at least ${minItems} items`;
    own.push(cause.invalid(fieldOf(place), items.length, why));
  }
  if (typeof maxItems === "number" && items.length > maxItems) {
    own.push(cause.tooMany(fieldOf(place), items.length, maxItems));
  }
  return joined(...inner, { causes: own, matches: 2 });
}

function fieldFindings(
  object: JsonObject,
  schema: StructuralSchema,
  place: Place,
  before: Before | undefined,
): Findings {
  const { minProperties, maxProperties } = schema.source;
  const keys = Object.keys(object);
  const below = (key: string): Place => ({
    ...place,
    path: place.path === "" && schema.properties.has(key) ? key : `${place.path}.${key}`,
  });
  const own: StatusCause[] = [];
  if (typeof minProperties === "number" && keys.length < minProperties) {
    const why = `${place.path} in body should have at least ${minProperties} properties`;
    own.push(cause.invalid(fieldOf(place), keys.length, why));
  }
  if (typeof maxProperties === "number" && keys.length > maxProperties) {
    own.push(cause.tooMany(fieldOf(place), keys.length, maxProperties));
  }
  const inner: Findings[] = [];
  for (const key of keys) {
    const property = propertySchema(schema, key);
    if (property !== undefined) {
      inner.push(validate(object[key], property, below(key), fieldBefore(before, key)));
    }
  }
  const missing = schema.required
    .filter((key) => !Object.hasOwn(object, key))
    .map((key) => cause.required(fieldOf({ ...place, path: `${place.path}.${key}` })));
  return joined({ causes: own, matches: 1 }, ...inner, none(missing));
}

function fieldBefore(before: Before | undefined, key: string): Before | undefined {
  const value = isJsonObject(before?.value) ? getOwn(before.value, key) : undefined;
  return value === undefined ? undefined : { value };
}
