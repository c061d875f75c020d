import type { JsonObject } from "../objects/json-value.js";

/** A table column: its definition, and its cell for an object. */
export interface TableColumn {
  readonly name: string;
  /** OpenAPI type of the cells: `string`, `integer`, `boolean`, `date` ... */
  readonly type: string;
  /** OpenAPI format; `name` marks the column that identifies the rows. */
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, higher values only in wide output. */
  readonly priority: number;
  /** @param now - current time in milliseconds since the epoch, for ages. */
  cell(object: JsonObject, now: number): unknown;
}
