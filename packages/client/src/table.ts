import type {
  KubeObject,
  ListMeta,
  Live,
  PartialObjectMetadata,
  TableColumnDefinition,
  TableRowCondition,
} from "./api-types.js";
import { isMetaKind } from "./view.js";

/** The part of its object that a row contains in addition to the cells: its metadata, nothing, or the whole object. */
export type IncludeObject = "Metadata" | "None" | "Object";

/** Type of the object in a row, by {@link IncludeObject}. */
export type RowObject<T extends KubeObject, I extends IncludeObject> = I extends "None"
  ? null
  : I extends "Object"
    ? Live<T>
    : Live<PartialObjectMetadata>;

/** One object in a table. */
export interface TableRow<O = unknown> {
  /** One value per column, in column order. */
  readonly cells: readonly unknown[];
  readonly object: O;
  readonly conditions?: readonly TableRowCondition[] | undefined;
}

/**
 * Objects as the server presents them to people and `kubectl get` prints them. Columns and cells may change with any
 * release; programs should read objects.
 */
export interface Table<O = unknown> {
  readonly kind: "Table";
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  readonly columnDefinitions: readonly TableColumnDefinition[];
  readonly rows: readonly TableRow<O>[];
}

/**
 * Returns true when a response is a table. Otherwise it is the list or object instead, since some servers have no table
 * for a kind.
 *
 * @example
 * ```ts
 * const answer = await pods.table();
 * if (isTable(answer)) for (const { cells } of answer.rows) console.log(...cells);
 * ```
 */
export function isTable<A extends object>(response: A): response is Extract<A, { kind: "Table" }> {
  return isMetaKind(response, "Table");
}

/** Fills in the parts that a decoded table lacks. Any other response is returned unchanged. */
export function readTable(response: unknown): unknown {
  if (!isMetaKind(response, "Table")) {
    return response;
  }
  const table = response as Table;
  const { metadata = {}, columnDefinitions, rows } = table as Partial<Table>;
  // Go writes an empty list as null.
  return { ...table, metadata, columnDefinitions: columnDefinitions ?? [], rows: rows ?? [] };
}
