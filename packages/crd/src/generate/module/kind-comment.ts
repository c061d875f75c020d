import { readStructuralSchema } from "@typekube/schema";
import type { KindSource } from "../source/kind-source.js";
import { codeText, plainText } from "../text/doc-comment.js";
import { rulesText } from "../types/describe-schema.js";

/** Returns the lines of the comment of a kind: its description, facts for which descriptors have no place, deprecation. */
export function kindComment(source: KindSource): string[] {
  const schema = readStructuralSchema(source.schema);
  const { description } = source.schema;
  const text = typeof description === "string" ? plainText(description.trim()) : "";
  const facts = [...rulesText(schema), ...factsOf(source)];
  return [
    ...(text === "" ? [] : [text]),
    ...(facts.length === 0 ? [] : ["", ...facts]),
    ...deprecationText(source),
  ];
}

/** Returns the tag of a deprecated kind with the warning that servers send. */
export function deprecationText({ deprecation }: KindSource): string[] {
  return deprecation === undefined
    ? []
    : [`@deprecated ${plainText(deprecation.replace(/\s+/g, " ").trim())}`];
}

function factsOf({ selectableFields, columns, scale, served }: KindSource): string[] {
  return [
    ...(selectableFields.length === 0
      ? []
      : [
          `Field selectors: ${selectableFields.map((path) => codeText(path.replace(/^\./, ""))).join(", ")}.`,
        ]),
    ...(columns.length === 0
      ? []
      : [
          `Columns: ${columns.map(({ name, jsonPath }) => `${plainText(name)} ${codeText(jsonPath)}`).join(", ")}.`,
        ]),
    ...(scale === undefined
      ? []
      : [
          `Scale: replicas ${codeText(scale.specReplicasPath)}, current ${codeText(scale.statusReplicasPath)}${
            scale.labelSelectorPath === undefined
              ? ""
              : `, selector ${codeText(scale.labelSelectorPath)}`
          }.`,
        ]),
    ...(served ? [] : ["Servers do not serve this version."]),
  ];
}
