import type { ServedResource } from "../../resources/served-resource.js";
import type { TableColumn } from "../../resources/table-column.js";
import { sharedColumnsOf } from "./columns-for.js";
import { nameColumn, sharedCells } from "./make-column.js";

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
const plainColumns = sharedColumnsOf("*") ?? [];

/** Returns the columns of a kind: those of `kubectl get`, or name and age. */
export function columnsOf({ rules, storage, strategy }: ServedResource): readonly TableColumn[] {
  return (
    strategy.columns ?? (rules.custom ? customColumns : (sharedColumnsOf(storage) ?? plainColumns))
  );
}
