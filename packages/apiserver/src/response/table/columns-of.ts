import type { ServedResource } from "../../resources/served-resource.js";
import type { TableColumn } from "../../resources/table-column.js";
import { ageColumn, createdColumn, nameColumn } from "./make-column.js";

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

/** Returns the columns of a kind: those of `kubectl get`, or name and age. */
export function columnsOf({ rules, strategy }: ServedResource): readonly TableColumn[] {
  return strategy.columns ?? (rules.custom ? customColumns : plainColumns);
}
