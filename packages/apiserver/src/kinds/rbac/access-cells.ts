import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { column } from "../../response/table/make-column.js";
import type { ColumnCells } from "../../response/table/own-cells.js";

/** Cells of bindings: the role and its subjects. */
export const bindings: Readonly<
  Record<"Groups" | "Role" | "ServiceAccounts" | "Users", ColumnCells>
> = {
  Role: column("Role that is granted.", ({ roleRef }) => {
    const { kind, name } = mapOf(roleRef);
    return `${String(kind)}/${String(name)}`;
  }),
  Users: column("Users that have the role.", (one) => subjectsText(one, "User")),
  Groups: column("Groups that have the role.", (one) => subjectsText(one, "Group")),
  ServiceAccounts: column("Service accounts that have the role.", (one) =>
    subjectsText(one, "ServiceAccount"),
  ),
};

function subjectsText({ subjects }: JsonObject, wanted: string): string {
  return objectsOf(subjects)
    .filter(({ kind }) => kind === wanted)
    .map(({ name, namespace }) =>
      wanted === "ServiceAccount" ? `${String(namespace ?? "")}/${String(name)}` : String(name),
    )
    .join(", ");
}
