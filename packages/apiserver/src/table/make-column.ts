import { mapOf } from "../kinds/parts.js";
import type { JsonObject } from "../store/json-value.js";
import { sinceText } from "./age.js";
import type { TableColumn } from "./table-column.js";

type Cell = TableColumn["cell"];

/** A column of text. */
export function text(name: string, description: string, cell: Cell): TableColumn {
  return { name, type: "string", format: "", description, priority: 0, cell };
}

/** A column of whole numbers. */
export function integer(name: string, description: string, cell: Cell): TableColumn {
  return { ...text(name, description, cell), type: "integer" };
}

/** A column of truths. */
export function boolean(name: string, description: string, cell: Cell): TableColumn {
  return { ...text(name, description, cell), type: "boolean" };
}

/** The same column for those who ask for more. */
export function wide(column: TableColumn): TableColumn {
  return { ...column, priority: 1 };
}

/** The name of the object. */
export const nameColumn: TableColumn = {
  ...text("Name", "Name of the object.", ({ metadata }) => mapOf(metadata)["name"] ?? ""),
  format: "name",
};

/** The time since the object was made. */
export const ageColumn: TableColumn = text("Age", "Time since the object was made.", ageOf);

/** The moment at which the object was made. */
export const createdColumn: TableColumn = {
  ...text(
    "Created At",
    "When the object was made.",
    ({ metadata }) =>
      // A bookmark was never made.
      mapOf(metadata)["creationTimestamp"] ?? null,
  ),
  type: "date",
};

function ageOf({ metadata }: JsonObject, now: number): string {
  return sinceText(mapOf(metadata)["creationTimestamp"], now);
}
