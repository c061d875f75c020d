import type { JsonObject } from "@typekube/core/internal/json";
import { isJsonObject } from "@typekube/core/internal/json";
import type { ClientOnly } from "../zod/conversion.js";
import { convertZod } from "../zod/convert-zod.js";
import { isOptional } from "../zod/is-optional.js";
import { inKeywordOrder } from "../zod/keyword-order.js";
import type { AnyDefinitionOptions, OtherVersion } from "./definition-options.js";
import type { DefinitionProblem } from "./describe-problems.js";

/** Levels of a recursive schema when it is preserved. */
const defaultRecursionDepth = 3;

/** The schema of a version, and what it lacks. */
export interface VersionSchema {
  readonly schema: JsonObject;
  readonly problems: readonly DefinitionProblem[];
  readonly clientOnly: readonly ClientOnly[];
}

/** Builds the schema of whole objects from the schemas of spec and status, or takes a raw one. */
export function versionSchema(
  version: Omit<OtherVersion, "name">,
  options: AnyDefinitionOptions,
): VersionSchema {
  const { spec, status, schema, cel = [] } = version;
  if (schema !== undefined) {
    const isWrong = !isJsonObject(schema) || spec !== undefined || status !== undefined;
    const problem =
      "must be the JSON schema of the whole object, without spec and status beside it";
    return {
      schema: withRules(isJsonObject(schema) ? schema : {}, cel),
      problems: isWrong ? [{ path: "schema", problem }] : [],
      clientOnly: [],
    };
  }
  const { descriptions = "full", recursive, recursionDepth = defaultRecursionDepth } = options;
  const parts = Object.entries({ spec, status })
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => {
      const converted = convertZod(part, name, {
        descriptions,
        recursionDepth: recursive === "preserve" ? recursionDepth : undefined,
      });
      return { name, ...converted };
    });
  const described = descriptions !== "none" && options.description !== undefined;
  return {
    schema: withRules(
      {
        ...(described ? { description: options.description } : {}),
        type: "object",
        ...(spec === undefined ||
        parts.some(({ problems }) => problems.length > 0) ||
        isOptional(spec)
          ? {}
          : { required: ["spec"] }),
        properties: Object.fromEntries(parts.map(({ name, schema: part }) => [name, part])),
      },
      cel,
    ),
    problems: parts.flatMap(({ problems, name, schema: part }) => [
      ...problems,
      ...(problems.length === 0 && !isObject(part)
        ? [
            {
              path: name,
              problem: "must be an object",
              hint: "for example z.object({ size: z.int() })",
            },
          ]
        : []),
    ]),
    clientOnly: parts.flatMap(({ clientOnly }) => clientOnly),
  };
}

function isObject(schema: JsonObject): boolean {
  return schema["type"] === "object";
}

function withRules(schema: JsonObject, rules: readonly object[]): JsonObject {
  const own = schema["x-kubernetes-validations"];
  const all = [...(Array.isArray(own) ? own : []), ...rules];
  return inKeywordOrder(all.length === 0 ? schema : { ...schema, "x-kubernetes-validations": all });
}
