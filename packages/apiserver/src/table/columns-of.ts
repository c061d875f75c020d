import type { ServedResource } from "../resources/served-resource.js";
import { accessColumns } from "./access-columns.js";
import { admissionColumns } from "./admission-columns.js";
import { clusterColumns } from "./cluster-columns.js";
import { ageColumn, createdColumn, nameColumn } from "./make-column.js";
import { podColumns } from "./pod-columns.js";
import { serviceColumns } from "./service-columns.js";
import { storageColumns } from "./storage-columns.js";
import type { TableColumn } from "./table-column.js";
import { workloadColumns } from "./workload-columns.js";

const builtIn: ReadonlyMap<string, readonly TableColumn[]> = new Map(
  Object.entries({
    ...accessColumns,
    ...admissionColumns,
    ...clusterColumns,
    ...podColumns,
    ...serviceColumns,
    ...storageColumns,
    ...workloadColumns,
  }),
);

/** Age of custom resources: empty instead of `<unknown>`. */
const customAge: TableColumn = {
  ...ageColumn,
  type: "date",
  cell: (object, now) => {
    const age = ageColumn.cell(object, now);
    return age === "<unknown>" ? null : age;
  },
};
const customColumns = [nameColumn, customAge];
const plainColumns = [nameColumn, createdColumn];

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
