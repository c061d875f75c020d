import type {
  KubeObject,
  ListMeta,
  Live,
  PartialObjectMetadata,
  TableColumnDefinition,
  TableRowCondition,
} from "./api-types.js";
import { isMetaKind } from "./view.js";

/** What a row holds of its object besides the cells: its metadata, all of it, or nothing. */
export type IncludeObject = "Metadata" | "None" | "Object";

/** What {@link IncludeObject} makes of an object. */
export type RowObject<T extends KubeObject, I extends IncludeObject> = I extends "None"
  ? null
  : I extends "Object"
    ? Live<T>
    : Live<PartialObjectMetadata>;

/** One object in a table. */
export interface TableRow<O = unknown> {
  /** One value per column, in their order. */
  readonly cells: readonly unknown[];
  readonly object: O;
  readonly conditions?: readonly TableRowCondition[] | undefined;
}

/**
 * Objects as the server would show them to people, as `kubectl get` prints them. Columns and cells may change with any
 * release: programs read objects.
 */
export interface Table<O = unknown> {
  readonly kind: "Table";
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  readonly columnDefinitions: readonly TableColumnDefinition[];
  readonly rows: readonly TableRow<O>[];
}

/**
 * Whether an answer is a table; otherwise it is what stands in for one, since some servers have none for a kind.
 *
 * @example
 * const answer = await pods.table();
 * if (isTable(answer)) for (const { cells } of answer.rows) console.log(...cells);
 */
export function isTable<A extends object>(response: A): response is Extract<A, { kind: "Table" }> {
  return isMetaKind(response, "Table");
}

/** A decoded table with nothing left out. Anything else is what stands in for one, and stays as it is. */
export function readTable(response: unknown): unknown {
  if (!isMetaKind(response, "Table")) {
    return response;
  }
  const table = response as Table;
  const { metadata = {}, columnDefinitions, rows } = table as Partial<Table>;
  // Go writes a list of nothing as null.
  return { ...table, metadata, columnDefinitions: columnDefinitions ?? [], rows: rows ?? [] };
}
