import { languageOf } from "@typekube/cel/internal";
import type { StructuralSchema } from "../structural/structural-schema.js";
import { type CompiledRule, compileRules } from "./compile-rules.js";
import { declaredType, selfTypeName } from "./declared-type.js";
import { hasRules } from "./has-rules.js";
import { withTypeAndMetadata } from "./resource-root.js";
import { rulesOf } from "./validation-rule.js";

/** The compiled rules of a place and of the places below it. */
export interface RuleValidator {
  /** The schema by which values are converted. */
  readonly schema: StructuralSchema;
  readonly rules: readonly CompiledRule[];
  readonly usesOldSelf: boolean;
  readonly items: RuleValidator | undefined;
  readonly values: RuleValidator | undefined;
  readonly properties: ReadonlyMap<string, RuleValidator>;
  readonly allOf: readonly RuleValidator[];
}

/**
 * Compiles all rules of a schema for the evaluation, in which every rule that was ever accepted works.
 *
 * @param version - Version of Kubernetes, for example "1.37".
 * @returns `undefined` if the schema has no rules.
 */
export function ruleValidator(
  schema: StructuralSchema,
  {
    isResourceRoot = true,
    version,
  }: { readonly isResourceRoot?: boolean; readonly version?: string } = {},
): RuleValidator | undefined {
  if (!hasRules(schema)) {
    return undefined;
  }
  const language = languageOf(version, "stored");
  return new ValidatorBuilder(() => language).build(schema, schema, isResourceRoot);
}

type LanguageFor = Parameters<typeof compileRules>[2];

class ValidatorBuilder {
  readonly #languageFor: LanguageFor;

  constructor(languageFor: LanguageFor) {
    this.#languageFor = languageFor;
  }

  /**
   * Builds the validator of a place.
   *
   * @param validation - The schema with the rules: that of the place or one of its `allOf`.
   * @param node - The schema with the shape.
   */
  build(
    validation: StructuralSchema,
    node: StructuralSchema,
    isResourceRoot: boolean,
  ): RuleValidator | undefined {
    const shape = isResourceRoot ? withTypeAndMetadata(node) : node;
    const type =
      rulesOf(validation).length === 0
        ? undefined
        : declaredType(node, selfTypeName, isResourceRoot);
    const rules =
      type === undefined
        ? []
        : compileRules(
            { ...node, source: { ...node.source, ...rulesFrom(validation) } },
            type,
            this.#languageFor,
          );
    const items = this.#child(validation.items, node.items);
    const values = this.#child(
      schemaOf(validation.additionalProperties),
      schemaOf(node.additionalProperties),
    );
    const properties = this.#properties(validation, node);
    const allOf = validation.allOf
      .map((part) => this.build(part, node, isResourceRoot))
      .filter((part) => part !== undefined);
    const isEmpty =
      rules.length === 0 &&
      items === undefined &&
      values === undefined &&
      properties.size === 0 &&
      allOf.length === 0;
    const usesOldSelf = rules.some((rule) => rule.usesOldSelf);
    return isEmpty
      ? undefined
      : { schema: shape, rules, usesOldSelf, items, values, properties, allOf };
  }

  #child(
    validation: StructuralSchema | undefined,
    node: StructuralSchema | undefined,
  ): RuleValidator | undefined {
    return validation === undefined || node === undefined
      ? undefined
      : this.build(validation, node, node.embeddedResource);
  }

  #properties(
    validation: StructuralSchema,
    node: StructuralSchema,
  ): ReadonlyMap<string, RuleValidator> {
    const validators = new Map<string, RuleValidator>();
    for (const [name, property] of validation.properties) {
      const shape = node.properties.get(name);
      if (shape === undefined) {
        continue;
      }
      // Fields whose type rules cannot see are left out.
      const isVisible = declaredType(shape, name, shape.embeddedResource) !== undefined;
      const validator = isVisible ? this.build(property, shape, shape.embeddedResource) : undefined;
      if (validator !== undefined) {
        validators.set(name, validator);
      }
    }
    return validators;
  }
}

function rulesFrom({ source }: StructuralSchema): { readonly "x-kubernetes-validations": unknown } {
  return { "x-kubernetes-validations": source["x-kubernetes-validations"] };
}

function schemaOf(
  additional: StructuralSchema["additionalProperties"],
): StructuralSchema | undefined {
  return typeof additional === "object" ? additional : undefined;
}
