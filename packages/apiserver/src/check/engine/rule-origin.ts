import { isJsonObject, type JsonObject } from "@typekube/core/internal";
import type { FailedValidation } from "@typekube/policy";
import type { DefinedVersion } from "../../resources/definition.js";
import { versionsOf } from "../../resources/definition.js";
import type { CheckItem } from "../items/check-item.js";
import { isManifestValue } from "../items/check-item.js";
import type { RawFinding } from "../items/raw-finding.js";
import type { RuleOrigin } from "../model/rule-origin.js";
import { pathBelow } from "../text/field-path.js";

/** Returns findings of policies with the expressions that failed. */
export function withPolicyOrigin(
  finding: RawFinding,
  failed: readonly FailedValidation[],
): RawFinding {
  if (finding.rule !== "policy" && finding.rule !== "policy-warning") {
    return finding;
  }
  const one = failed.find(
    ({ policy, binding, message }) =>
      finding.message.includes(`'${policy}' with binding '${binding}'`) &&
      finding.message.endsWith(`: ${message}`),
  );
  return one === undefined
    ? finding
    : {
        ...finding,
        origin: {
          kind: "ValidatingAdmissionPolicy",
          name: one.policy,
          field: `spec.validations[${one.index}].expression`,
        },
      };
}

/**
 * Returns a finding with the rule of the definition that failed, as far as its field and message show which it was: servers do not
 * say. Of several rules that compute their messages for one field, none is chosen.
 */
export function withDefinedOrigin(
  finding: RawFinding,
  defined: DefinedVersion | undefined,
): RawFinding {
  if (defined === undefined || finding.reason === undefined) {
    return finding;
  }
  const { schema } = defined.source as { readonly schema?: JsonObject };
  const rules = [...rulesAlong(schema?.["openAPIV3Schema"], finding.field ?? "")];
  const told = rules.find(({ message }) => message !== "" && finding.message.endsWith(message));
  const computed = rules.filter(({ isComputed }) => isComputed);
  const rule = told ?? (computed.length === 1 ? computed[0] : undefined);
  if (rule === undefined || (told === undefined && !isOfRule(finding))) {
    return finding;
  }
  const { definition, name: version } = defined;
  const field = `schema.openAPIV3Schema${rule.path}.rule`;
  return {
    ...finding,
    origin: { kind: "CustomResourceDefinition", name: definition.name, field, version },
  };
}

/** Schemas state these problems in words of their own; a rule never does. */
function isOfRule({ message }: RawFinding): boolean {
  return !/ in body |Unsupported value|must be of type|Too (?:long|many)/.test(message);
}

/** A rule on the way to a field. */
interface PlacedRule {
  /** Path in the schema, such as `.properties.spec.x-kubernetes-validations[0]`. */
  readonly path: string;
  /** End of the server's message; empty for a message that is computed. */
  readonly message: string;
  readonly isComputed: boolean;
}

/** Returns the rules on the way to a field that report their failure under this field. */
function* rulesAlong(root: unknown, field: string): Generator<PlacedRule> {
  const steps = field.split(/\.(?![^[]*\])/).flatMap((step) => step.split(/(?=\[)/));
  let schema = root;
  let path = "";
  let at = "";
  for (let index = 0; isJsonObject(schema); index++) {
    const rules = schema["x-kubernetes-validations"];
    for (const [number, rule] of (Array.isArray(rules) ? rules : []).entries()) {
      if (isJsonObject(rule) && plain(`${at}${String(rule["fieldPath"] ?? "")}`) === plain(field)) {
        yield {
          path: `${path}.x-kubernetes-validations[${number}]`,
          message: messageOf(rule),
          isComputed: typeof rule["messageExpression"] === "string",
        };
      }
    }
    const step: string | undefined = steps[index];
    if (step === undefined || step === "") {
      return;
    }
    const below = schemaBelow(schema, step);
    schema = below?.schema;
    path += below?.path ?? "";
    at = step.startsWith("[") ? `${at}${step}` : `${at}.${step}`;
  }
}

function plain(path: string): string {
  return path.replace(/^\./, "").replace(/\['?([^\]']*)'?\]/g, ".$1");
}

function messageOf({ rule, message, messageExpression }: JsonObject): string {
  if (typeof messageExpression === "string") {
    return "";
  }
  return typeof message === "string" && message !== ""
    ? message.trim()
    : `failed rule: ${String(rule).trim()}`;
}

function schemaBelow(
  { properties, items, additionalProperties }: JsonObject,
  step: string,
): { readonly schema: unknown; readonly path: string } | undefined {
  if (isJsonObject(properties) && Object.hasOwn(properties, step)) {
    return { schema: properties[step], path: pathBelow(".properties", step) };
  }
  return /^\[\d+\]$/.test(step) && items !== undefined
    ? { schema: items, path: ".items" }
    : { schema: additionalProperties, path: ".additionalProperties" };
}

/** Returns the path of an origin in the object that holds it. */
export function fieldOf({ field, version }: RuleOrigin, { value }: CheckItem): string {
  if (version === undefined || !isManifestValue(value)) {
    return field;
  }
  const at = versionsOf(value).findIndex(({ name }) => name === version);
  return `spec.versions[${at}].${field}`;
}
