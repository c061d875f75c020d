import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { column } from "../../response/table/make-column.js";
import type { ColumnCells } from "../../response/table/own-cells.js";

const unset = "<unset>";

/** Kind of the parameters of a policy. */
export const paramKind: ColumnCells = column("Kind of the parameters.", (one) => {
  const { apiVersion, kind } = mapOf(specOf(one)["paramKind"]);
  return kind === undefined ? unset : `${String(apiVersion)}/${String(kind)}`;
});

/** Cells of webhook configurations. */
export const webhooks: Readonly<Record<"Webhooks", ColumnCells>> = {
  Webhooks: column("Number of webhooks.", (one) => objectsOf(one["webhooks"]).length),
};

/** Cells of the bindings of policies. */
export const binding: Readonly<Record<"ParamRef" | "PolicyName", ColumnCells>> = {
  PolicyName: column("Policy that is bound.", (one) => specOf(one)["policyName"]),
  ParamRef: column("Object with the parameters.", (one) => {
    const { namespace, name, selector } = mapOf(specOf(one)["paramRef"]);
    if (name === undefined && selector === undefined) {
      return unset;
    }
    return `${String(namespace || "*")}/${String(name || "*")}`;
  }),
};
