import { isJsonObject, type JsonObject } from "@typekube/core/internal/json";
import { propertySchema, readStructuralSchema, type StructuralSchema } from "@typekube/schema";
import type { BuiltVersion } from "./definition-manifest.js";
import type { DefinitionProblem } from "./describe-problems.js";

const step = /\.((?:[^.[\]\\]|\\.)+)|\[['"]([^'"]*)['"]\]|\[[^\]]*\]/y;
const alwaysThere: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/**
 * Returns the paths of columns and of the scale that no field of the schema has. A server accepts them: the columns stay
 * empty, and scaling fails.
 */
export function fieldPathProblems({ schema, options }: BuiltVersion): DefinitionProblem[] {
  const root = readStructuralSchema(schema);
  const scale = isJsonObject(options.scale) ? (options.scale as JsonObject) : {};
  const paths = [
    ...(options.columns ?? []).map(({ name, jsonPath }) => ({
      path: `columns "${name}"`,
      jsonPath,
    })),
    ...(options.scale === undefined
      ? []
      : [
          {
            path: "scale.specReplicasPath",
            jsonPath: scale["specReplicasPath"] ?? ".spec.replicas",
          },
          {
            path: "scale.statusReplicasPath",
            jsonPath: scale["statusReplicasPath"] ?? ".status.replicas",
          },
          { path: "scale.labelSelectorPath", jsonPath: scale["labelSelectorPath"] },
        ]),
  ];
  return paths.flatMap(({ path, jsonPath }) =>
    typeof jsonPath !== "string" || isField(root, jsonPath)
      ? []
      : [
          {
            path,
            problem: `the schema has no field at ${jsonPath}`,
            hint: "correct the path, or add the field to the schema",
          },
        ],
  );
}

/** Returns whether a path leads to a field. A path whose form is unknown counts as one. */
function isField(root: StructuralSchema, path: string): boolean {
  let at = 0;
  let schema: StructuralSchema | undefined = root;
  while (at < path.length && schema !== undefined) {
    step.lastIndex = at;
    const match = step.exec(path);
    if (match === null) {
      return true;
    }
    const name = match[1]?.replace(/\\(.)/g, "$1") ?? match[2];
    if (schema === root && name !== undefined && alwaysThere.has(name)) {
      return true;
    }
    const next: StructuralSchema | undefined =
      name === undefined ? schema.items : propertySchema(schema, name);
    if (next === undefined && (schema.preserveUnknownFields || schema.embeddedResource)) {
      return true;
    }
    if (name !== undefined && next === undefined && schema.additionalProperties === true) {
      return true;
    }
    schema = next;
    at = step.lastIndex;
  }
  return schema !== undefined;
}
