import type { SchemaNode } from "../../schema/schema-node.js";
import { nearest } from "./nearest.js";

/** Returns a hint with the fields that are named like an unknown one; `undefined` without any. */
export function suggestField(root: SchemaNode, path: string): string | undefined {
  const steps = path.split(/\.(?![^[]*\])/).flatMap((step) => step.split(/(?=\[)/));
  const name = steps.pop() ?? "";
  let node: SchemaNode | undefined = root;
  for (const step of steps) {
    node = node && below(node, step);
  }
  if (node?.form !== "struct") {
    return undefined;
  }
  const near = nearest(name, node.fieldNames);
  return near.length === 0 ? undefined : `did you mean ${near.join(" or ")}?`;
}

function below(node: SchemaNode, step: string): SchemaNode | undefined {
  switch (node.form) {
    case "struct":
      return node.field(step)?.node;
    case "list":
      return node.items;
    case "map":
      return node.values;
    default:
      return undefined;
  }
}
