import type { JsonObject } from "../store/json-value.js";

/** One column of a table: how it is announced, and what stands in it for an object. */
export interface TableColumn {
  readonly name: string;
  /** OpenAPI type of its cells: `string`, `integer`, `boolean`, `date` ... */
  readonly type: string;
  /** OpenAPI format; `name` marks the column that tells the rows apart. */
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, higher ones only to those who ask for more. */
  readonly priority: number;
  /** @param now - milliseconds since 1970, for ages. */
  cell(object: JsonObject, now: number): unknown;
}
