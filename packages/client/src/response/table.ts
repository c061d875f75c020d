import type {
  KubeObject,
  ListMeta,
  Live,
  PartialObjectMetadata,
  TableColumnDefinition,
  TableRowCondition,
} from "../types/api-types.js";
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
  /** The object of the row; see {@link IncludeObject} for the part that it contains. */
  readonly object: O;
  /** State of the row, such as `Completed` for a pod that has ended. */
  readonly conditions?: readonly TableRowCondition[] | undefined;
}

/**
 * Objects as the server presents them to people and `kubectl get` prints them. Columns and cells may change with any
 * release; programs should read objects.
 */
export interface Table<O = unknown> {
  readonly kind: "Table";
  readonly apiVersion: string;
  /** Metadata of the list: resourceVersion and continue token. */
  readonly metadata: ListMeta;
  /** Name, type and priority of each column. */
  readonly columnDefinitions: readonly TableColumnDefinition[];
  /** One row per object. */
  readonly rows: readonly TableRow<O>[];
}

/**
 * Returns true when a response is a table. Otherwise the response is the list or object itself: some servers have no
 * table for a kind.
 *
 * @example
 * ```ts
 * const response = await pods.table();
 * if (isTable(response)) for (const { cells } of response.rows) console.log(...cells);
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
