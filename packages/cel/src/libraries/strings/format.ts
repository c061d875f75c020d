import { type FunctionDeclaration, memberOverload } from "../../functions/overload.js";
import { fillTemplate } from "../../templates/template.js";
import { dynType, listType, stringType } from "../../values/cel-type.js";
import { formatClause } from "./format-clause.js";
import { formatting } from "./string-costs.js";

/** `format`: a template such as "%s has %d" with its clauses replaced by the elements of a list. */
export const format: FunctionDeclaration = {
  name: "format",
  overloads: [
    memberOverload(
      "string_format",
      [stringType, listType(dynType)],
      stringType,
      (template, args) =>
        fillTemplate(template, args.size, (clause) => formatClause(clause, args.at(clause.index))),
      formatting,
    ),
  ],
};
