import type { JsonObject } from "@typekube/core/internal/json";
import { type $ZodType, type $ZodTypes, globalRegistry } from "zod/v4/core";
import type { ClientOnly, Conversion, Descriptions, SchemaProblem } from "./conversion.js";
import { convertArray, convertTuple } from "./convert-list.js";
import { convertValues, enumValues } from "./convert-literal.js";
import { convertNumber } from "./convert-number.js";
import { convertObject, convertRecord } from "./convert-object.js";
import { convertString, convertTemplate } from "./convert-string.js";
import { convertUnion } from "./convert-union.js";
import { convertDefault, convertIntersection } from "./convert-wrapper.js";
import { isJsonSchema } from "./json-schema.js";
import { inKeywordOrder } from "./keyword-order.js";
import { readChecks } from "./read-checks.js";
import { withMeta } from "./schema-meta.js";
import { zodProblem } from "./zod-problem.js";

/** Options of the conversion of a zod schema. */
export interface ConvertOptions {
  readonly descriptions: Descriptions;
  /** How often a recursive schema is repeated before its fields become free; `undefined` to refuse recursion. */
  readonly recursionDepth: number | undefined;
}

/** A structural schema, and what it lacks. */
export interface ConvertedZod {
  readonly schema: JsonObject;
  readonly problems: readonly SchemaProblem[];
  readonly clientOnly: readonly ClientOnly[];
}

/**
 * Converts a zod schema to a structural schema.
 *
 * @param path - path of the value, for problems.
 */
export function convertZod(schema: unknown, path: string, options: ConvertOptions): ConvertedZod {
  const problem = zodProblem(schema);
  if (problem !== undefined) {
    return { schema: {}, problems: [{ path, ...problem }], clientOnly: [] };
  }
  const run: Run = { options, problems: [], clientOnly: [] };
  const converted = new SchemaPlace(run, path, []).convert(schema as $ZodType);
  return { schema: converted, problems: run.problems, clientOnly: run.clientOnly };
}

interface Run {
  readonly options: ConvertOptions;
  readonly problems: SchemaProblem[];
  readonly clientOnly: ClientOnly[];
}

const free: JsonObject = { "x-kubernetes-preserve-unknown-fields": true };

class SchemaPlace implements Conversion {
  readonly path: string;
  readonly #run: Run;
  /** The schemas around this one; a schema among them recurs. */
  readonly #around: readonly $ZodType[];

  constructor(run: Run, path: string, around: readonly $ZodType[]) {
    this.path = path;
    this.#run = run;
    this.#around = around;
  }

  at(step: string): Conversion {
    return new SchemaPlace(this.#run, `${this.path}${step}`, this.#around);
  }

  refuse(problem: string, hint: string): JsonObject {
    const { problems } = this.#run;
    if (!problems.some((one) => one.path === this.path && one.problem === problem)) {
      problems.push({ path: this.path, problem, hint });
    }
    return { ...free };
  }

  clientOnly(what: string): void {
    const { clientOnly } = this.#run;
    if (!clientOnly.some((one) => one.path === this.path && one.what === what)) {
      clientOnly.push({ path: this.path, what });
    }
  }

  convert(schema: $ZodType): JsonObject {
    const { recursionDepth, descriptions } = this.#run.options;
    const depth = this.#around.filter((one) => one === schema).length;
    if (depth > 0 && recursionDepth === undefined) {
      return this.refuse(
        "the schema contains itself, which a definition cannot express",
        'set recursive: "preserve" to keep deeper levels without a schema',
      );
    }
    if (depth > (recursionDepth ?? 0)) {
      return { ...free };
    }
    const inner = new SchemaPlace(this.#run, this.path, [...this.#around, schema]);
    if ((schema._zod.def.checks ?? []).length > 0) {
      // Most types have no checks but those in code, which are reported.
      readChecks(schema, inner);
    }
    const meta = globalRegistry.get(schema) as JsonObject | undefined;
    return inKeywordOrder(
      withMeta(convertType(schema as $ZodTypes, inner, meta), meta, descriptions),
    );
  }
}

function convertType(
  schema: $ZodTypes,
  place: Conversion,
  meta: JsonObject | undefined,
): JsonObject {
  const { def } = schema._zod;
  switch (def.type) {
    case "string":
      return convertString(schema, place);
    case "number":
    case "bigint":
      return convertNumber(schema, place);
    case "boolean":
      return { type: "boolean" };
    case "any":
    case "unknown":
      return { ...free };
    case "literal":
      return convertValues(def.values, place);
    case "enum":
      return convertValues(enumValues(def.entries), place);
    case "template_literal":
      return convertTemplate(schema, place);
    case "array":
      return convertArray(schema as never, place);
    case "tuple":
      return convertTuple(schema as never, place);
    case "object":
      return convertObject(schema as never, place);
    case "record":
      return convertRecord(schema as never, place);
    case "union":
      return convertUnion(schema as never, place);
    case "intersection":
      return convertIntersection(schema as never, place);
    case "optional":
    case "nonoptional":
    case "readonly":
      return place.convert(def.innerType);
    case "nullable":
      return { ...place.convert(def.innerType), nullable: true };
    case "default":
    case "prefault":
      return convertDefault(place.convert(def.innerType), def, place);
    case "catch":
      place.clientOnly("catch(); its value is not a default of the definition");
      return place.convert(def.innerType);
    case "pipe":
      return convertPipe(def, place);
    case "lazy":
      return isJsonSchema(schema) ? { ...free } : place.convert(def.getter());
    case "custom":
      return meta?.["x-kubernetes-preserve-unknown-fields"] === true
        ? {}
        : place.refuse("z.custom() or z.instanceof()", "describe the JSON with z.object()");
    default:
      return refuseType(def.type, place);
  }
}

/** A pipe is stored in the form of its first half: `transform()`, codecs. `preprocess()` begins with a function. */
function convertPipe(
  def: { readonly in: $ZodType; readonly out: $ZodType },
  place: Conversion,
): JsonObject {
  const isPreprocess = def.in._zod.def.type === "transform";
  place.clientOnly(isPreprocess ? "preprocess()" : "transform() or pipe()");
  return place.convert(isPreprocess ? def.out : def.in);
}

const hints: Readonly<Record<string, string>> = {
  date: "use z.iso.datetime()",
  function: "leave it out: objects of the API are JSON",
  map: "use z.record(), or listMap() for a list with keys",
  nan: "leave it out: JSON has no NaN",
  never: "leave the field out; unknown fields are pruned",
  null: "use nullable()",
  promise: "use the type inside of the promise",
  set: "use listSet()",
  symbol: "use a string",
  transform: "use pipe(), which is stored in the form of its first half",
};

function refuseType(type: string, place: Conversion): JsonObject {
  return place.refuse(
    `z.${type}() has no form in a definition`,
    hints[type] ?? "use a type that JSON has",
  );
}
