import { readStructuralSchema, type StructuralSchema } from "@typekube/schema";
import type { KindSource } from "../source/kind-source.js";
import { kindIdentifier } from "../text/identifiers.js";
import { stringLiteral } from "../text/source-text.js";
import { claimName } from "../types/type-names.js";
import { type ZodContext, zodText } from "./zod-text.js";

/** Options of {@link zodModule}. */
export interface ZodModuleOptions {
  readonly int64: "bigint" | "number";
  /** First lines of the module. */
  readonly header: string;
  /** Specifier of the module with the types of the same kinds. */
  readonly typesModule: string;
}

/**
 * Returns a module with zod schemas of kinds: `WidgetSchema`, and `WidgetSpecSchema` and `WidgetStatusSchema` where the
 * kind has the field. What zod has no word for, such as rules and list types, stands in `.meta()`.
 */
export function zodModule(
  sources: readonly KindSource[],
  { int64, header, typesModule }: ZodModuleOptions,
): string {
  const taken = new Set<string>(["z"]);
  const kinds = sources.map((source) => ({
    source,
    name: claimName([kindIdentifier(source.kind)], taken),
  }));
  const components = new Map<string, string>();
  const queue: (readonly [name: string, schema: StructuralSchema])[] = [];
  const texts = kinds.flatMap(({ source, name }) => {
    const context: ZodContext = {
      int64,
      componentName(component) {
        const schema = source.components?.[component];
        if (!components.has(component) && schema !== undefined) {
          const short = component.split(".").at(-1) ?? component;
          components.set(component, claimName([`${kindIdentifier(short)}Component`], taken));
          queue.push([component, readStructuralSchema(schema)]);
        }
        return components.get(component);
      },
    };
    const kindTexts = schemasOfKind(source, name, taken, context);
    const parts: string[] = [];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [component, schema] = next;
      const text = zodText(schema, context);
      parts.push(`const ${components.get(component)}: z.ZodType = z.lazy(() => ${text});\n`);
    }
    return [...kindTexts, ...parts];
  });
  const types = kinds.map(({ name }) => name).sort();
  return `${header}import * as z from "zod";
import type { ${types.join(", ")} } from ${stringLiteral(typesModule)};

${texts.join("\n")}`;
}

function schemasOfKind(
  { group, version, kind, schema: source }: KindSource,
  name: string,
  taken: Set<string>,
  context: ZodContext,
): string[] {
  const schema = readStructuralSchema(source);
  const parts = (["spec", "status"] as const).flatMap((field) => {
    const property = schema.properties.get(field);
    const word = field === "spec" ? "Spec" : "Status";
    return property === undefined
      ? []
      : [{ field, property, constant: claimName([`${name}${word}Schema`], taken) }];
  });
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const given = new Map([
    ["apiVersion", `z.literal(${stringLiteral(apiVersion)})`],
    ["kind", `z.literal(${stringLiteral(kind)})`],
    ["metadata", "z.looseObject({})"],
    ...parts.map(({ field, constant }) => [field, constant] as const),
  ]);
  const whole = zodText(schema, context, given);
  return [
    ...parts.map(({ field, property, constant }) =>
      declaration(constant, `NonNullable<${name}["${field}"]>`, zodText(property, context)),
    ),
    declaration(claimName([`${name}Schema`], taken), name, whole),
  ];
}

/** Schemas of zod have longer types than their values, and declarations of modules name both. */
function declaration(constant: string, type: string, text: string): string {
  return `export const ${constant}: z.ZodType<${type}> = ${text} as unknown as z.ZodType<${type}>;\n`;
}
