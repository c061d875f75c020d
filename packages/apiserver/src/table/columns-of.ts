import { tableColumns } from "../generated/table-columns.js";
import type { ServedResource } from "../resources/served-resource.js";
import { accessColumns } from "./access-columns.js";
import { admissionColumns } from "./admission-columns.js";
import { clusterColumns } from "./cluster-columns.js";
import { nameColumn, sharedCells } from "./make-column.js";
import type { ColumnCells, OwnCells } from "./own-cells.js";
import { podColumns } from "./pod-columns.js";
import { schedulingColumns } from "./scheduling-columns.js";
import { serviceColumns } from "./service-columns.js";
import { storageColumns } from "./storage-columns.js";
import type { TableColumn } from "./table-column.js";
import { workloadColumns } from "./workload-columns.js";

type Cells = Readonly<Record<string, ColumnCells>>;
type Definition = Pick<TableColumn, "name" | "type"> &
  Partial<Pick<TableColumn, "format" | "priority">>;

const ownCells: OwnCells = {
  ...accessColumns,
  ...admissionColumns,
  ...clusterColumns,
  ...podColumns,
  ...schedulingColumns,
  ...serviceColumns,
  ...storageColumns,
  ...workloadColumns,
};

const builtIn: ReadonlyMap<string, readonly TableColumn[] | undefined> = new Map(
  Object.entries(tableColumns).map(([resource, definitions]) => [
    resource,
    withCells(definitions, (ownCells as Readonly<Record<string, Cells>>)[resource]),
  ]),
);

/** Completes the definitions of columns; `undefined` if one has no cell. */
function withCells(
  definitions: readonly Definition[],
  own: Cells = {},
): readonly TableColumn[] | undefined {
  const cells: Cells = { ...sharedCells, ...own };
  const columns = definitions.flatMap((definition) => {
    const shown = cells[definition.name];
    return shown === undefined ? [] : [{ format: "", priority: 0, ...definition, ...shown }];
  });
  return columns.length === definitions.length ? columns : undefined;
}

/** Age of custom resources: empty instead of `<unknown>`. */
const customAge: TableColumn = {
  ...sharedCells.Age,
  name: "Age",
  type: "date",
  format: "",
  priority: 0,
  cell: (object, now) => {
    const age = sharedCells.Age.cell(object, now);
    return age === "<unknown>" ? null : age;
  },
};
const customColumns = [nameColumn, customAge];
const plainColumns = builtIn.get("*") ?? [];

/** Returns the columns of a kind: its own ones, those of `kubectl get`, or name and age. */
export function columnsOf(
  resource: ServedResource & { readonly columns?: readonly TableColumn[] | undefined },
): readonly TableColumn[] {
  const { rules, storage, columns } = resource;
  if (rules.custom) {
    return columns ?? customColumns;
  }
  return columns ?? builtIn.get(storage) ?? plainColumns;
}
