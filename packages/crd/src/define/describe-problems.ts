import { KubeError, type StatusCause } from "@typekube/core";

/** A problem of a definition. */
export interface DefinitionProblem {
  /** Path of the field or option: `spec.rules[].port`. */
  readonly path: string;
  readonly problem: string;
  readonly hint?: string | undefined;
}

/** Creates the error that lists all problems of a definition. */
export function definitionError(kind: string, problems: readonly DefinitionProblem[]): KubeError {
  const lines = problems.map(
    ({ path, problem, hint }) => `${path}: ${problem}${hint === undefined ? "" : ` (${hint})`}`,
  );
  const [only] = lines;
  const text = lines.length === 1 ? only : `\n${lines.map((line) => `- ${line}`).join("\n")}`;
  return new KubeError("InvalidArgument", `defineResource() of ${kind}: ${text}`);
}

const schemaRoot = /^spec\.(?:versions\[\d+\]\.schema|validation)\.openAPIV3Schema\.?/;

/** Describes the causes of a server by the paths of the schemas: `spec.rules[].port` instead of a path of properties. */
export function problemOf({ field = "", message = "" }: StatusCause): DefinitionProblem {
  return { path: shortPath(field), problem: message };
}

/** Shortens a path in the schema of a definition to the path of the values. */
export function shortPath(field: string): string {
  if (!schemaRoot.test(field)) {
    return field;
  }
  const rest = field.replace(schemaRoot, "");
  const short = rest
    .replace(/\.?properties\[([^\]]*)\]/g, ".$1")
    .replace(/\.?items(?=[.[]|$)/g, "[]")
    .replace(/\.?additionalProperties(?=[.[]|$)/g, "[*]")
    .replace(/^\./, "");
  // A keyword at the root is no field.
  return rest.startsWith("properties[")
    ? short
    : `schema${/^[A-Za-z]/.test(short) ? "." : ""}${short}`;
}
