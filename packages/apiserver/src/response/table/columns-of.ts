import { accessColumns } from "../../kinds/table/access-columns.js";
import { admissionColumns } from "../../kinds/table/admission-columns.js";
import { clusterColumns } from "../../kinds/table/cluster-columns.js";
import { podColumns } from "../../kinds/table/pod-columns.js";
import { serviceColumns } from "../../kinds/table/service-columns.js";
import { storageColumns } from "../../kinds/table/storage-columns.js";
import { workloadColumns } from "../../kinds/table/workload-columns.js";
import type { ServedResource } from "../../resources/served-resource.js";
import type { TableColumn } from "../../resources/table-column.js";
import { ageColumn, createdColumn, nameColumn } from "./make-column.js";

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
