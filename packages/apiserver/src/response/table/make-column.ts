import type { JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import type { TableColumn } from "../../resources/table-column.js";
import { sinceText } from "./age.js";

type Cell = TableColumn["cell"];

/** Creates a text column. */
export function text(name: string, description: string, cell: Cell): TableColumn {
  return { name, type: "string", format: "", description, priority: 0, cell };
}

/** Creates an integer column. */
export function integer(name: string, description: string, cell: Cell): TableColumn {
  return { ...text(name, description, cell), type: "integer" };
}

/** Creates a boolean column. */
export function boolean(name: string, description: string, cell: Cell): TableColumn {
  return { ...text(name, description, cell), type: "boolean" };
}

/** Makes a column appear in wide output only. */
export function wide(column: TableColumn): TableColumn {
  return { ...column, priority: 1 };
}

/** Name of the object. */
export const nameColumn: TableColumn = {
  ...text("Name", "Name of the object.", ({ metadata }) => mapOf(metadata)["name"] ?? ""),
  format: "name",
};

/** Time since the object was created. */
export const ageColumn: TableColumn = text("Age", "Time since the object was created.", ageOf);

/** Creation time of the object. */
export const createdColumn: TableColumn = {
  ...text(
    "Created At",
    "Creation time of the object.",
    ({ metadata }) =>
      // A bookmark has no creation time.
      mapOf(metadata)["creationTimestamp"] ?? null,
  ),
  type: "date",
};

function ageOf({ metadata }: JsonObject, now: number): string {
  return sinceText(mapOf(metadata)["creationTimestamp"], now);
}
