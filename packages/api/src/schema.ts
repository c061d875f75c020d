import { schemaLoaders } from "./generated/schema/loaders.js";

/** Schema of one field, without its name. */
export interface FieldSchema {
  /**
   * `string`, `boolean`, `integer`, `number`, `any` (any JSON), or a type: `PodSpec` in the same table,
   * `meta/v1.ObjectMeta` in another.
   */
  readonly type: string;
  /** Absent for a single value; otherwise `type` is the type of the list items or map values. */
  readonly container?: "list" | "map";
  /** Go's name of the list type, for a map whose values are lists of `type`. */
  readonly valueList?: string;
  readonly required?: true;
  readonly enum?: readonly string[];
  /**
   * OpenAPI format (`int32`, `int64`, `byte`, `date-time` ...) or one of our additions: `micro-time` (a time with
   * microseconds), `quantity`, `int-or-string`.
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
  /** A zero value differs from an absent field. Set only for fields with {@link validations}. */
  readonly pointer?: true;
  /** Declarative validation markers without their `k8s:` prefix: `maxLength=63`, `immutable` ... */
  readonly validations?: readonly string[];
}

/** Schema of one type. */
export interface TypeSchema {
  readonly fields: Readonly<Record<string, FieldSchema>>;
  /** Set for a struct that server-side apply treats as one value. */
  readonly mapType?: "atomic";
}

/** Schema of one upstream package (`core/v1`, `meta/v1` ...). */
export interface SchemaTable {
  readonly name: string;
  /** Tables that types of this table refer to, by name. */
  readonly imports: Readonly<Record<string, SchemaTable>>;
  readonly types: Readonly<Record<string, TypeSchema>>;
}

/**
 * Loads the schema of a group-version (`v1`, `apps/v1`), for merging and validation by schema. Loads nothing before the
 * first call.
 *
 * @returns `undefined` for a group-version that is not built in.
 */
export async function loadSchema(apiVersion: string): Promise<SchemaTable | undefined> {
  const load = Object.hasOwn(schemaLoaders, apiVersion) ? schemaLoaders[apiVersion] : undefined;
  return load === undefined ? undefined : (await load()).table;
}
