import { schemaLoaders } from "./generated/schema/loaders.js";

/** What the API's schema says of one field, beyond its name. */
export interface FieldSchema {
  /**
   * `string`, `boolean`, `integer`, `number`, `any` (any JSON), or a type: `PodSpec` in the same table,
   * `meta/v1.ObjectMeta` in another.
   */
  readonly type: string;
  /** Absent for a single value; otherwise `type` is that of the items or values. */
  readonly container?: "list" | "map";
  /** Of a map whose values are lists of `type`: how Go calls such a list. */
  readonly valueList?: string;
  readonly required?: true;
  readonly enum?: readonly string[];
  /**
   * OpenAPI format: `int32`, `int64`, `byte`, `date-time` ... and names of our own: `micro-time` (a time with microseconds),
   * `quantity`, `int-or-string`.
   */
  readonly format?: string;
  readonly default?: unknown;
  readonly listType?: "atomic" | "map" | "set";
  readonly listMapKeys?: readonly string[];
  readonly mapType?: "atomic" | "granular";
  /** `merge`, `replace`, `retainKeys` or `merge,retainKeys`. */
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  readonly omitempty?: true;
  readonly deprecated?: true;
  /** The zero of the type is a value of its own. Said only of fields with {@link validations}. */
  readonly pointer?: true;
  /** Declarative validation markers without their `k8s:` prefix: `maxLength=63`, `immutable` ... */
  readonly validations?: readonly string[];
}

/** What the API's schema says of one type. */
export interface TypeSchema {
  readonly fields: Readonly<Record<string, FieldSchema>>;
  /** A struct that server-side apply treats as one value. */
  readonly mapType?: "atomic";
}

/** The schema of one upstream package (`core/v1`, `meta/v1` ...). */
export interface SchemaTable {
  readonly name: string;
  /** Tables that the types of this one refer to, by name. */
  readonly imports: Readonly<Record<string, SchemaTable>>;
  readonly types: Readonly<Record<string, TypeSchema>>;
}

/**
 * Loads the schema of a group-version (`v1`, `apps/v1`). Used by what merges and validates by schema;
 * nothing is loaded before the first call.
 *
 * @returns `undefined` for a group-version that is not built in.
 */
export async function loadSchema(apiVersion: string): Promise<SchemaTable | undefined> {
  const load = Object.hasOwn(schemaLoaders, apiVersion) ? schemaLoaders[apiVersion] : undefined;
  return load === undefined ? undefined : (await load()).table;
}
