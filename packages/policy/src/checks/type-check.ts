import type {
  ExpressionWarning,
  Rule,
  ValidatingAdmissionPolicy,
} from "@typekube/api/admissionregistration/v1";
import type { CelType } from "@typekube/cel";
import type { GroupVersionKind, GroupVersionResource } from "../admission-request.js";
import { storedLanguage } from "../conditions/match-conditions.js";
import { PolicyExpressions } from "../expressions/policy-expressions.js";

/** Knows the kinds of a server. */
export interface KindTypes {
  /** Returns the kinds of a resource; none for an unknown one. */
  kindsOf(resource: GroupVersionResource): readonly GroupVersionKind[];
  /** Returns the type of a kind's objects; `undefined` for an unknown kind. */
  typeOf(kind: GroupVersionKind): CelType | undefined;
}

/** Most kinds for which the expressions of one policy are checked. */
const maxKinds = 10;

/**
 * Checks the validations of a policy against the types of the kinds that it matches: what the status of a policy shows in
 * `typeChecking.expressionWarnings`. Kinds of rules with wildcards are not checked. (k8s.io/apiserver `TypeChecker`)
 */
export function typeCheckPolicy(
  { spec = {} }: ValidatingAdmissionPolicy,
  kinds: KindTypes,
): readonly ExpressionWarning[] {
  const rules = spec.matchConstraints?.resourceRules ?? [];
  const params = spec.paramKind === undefined ? undefined : kinds.typeOf(kindOf(spec.paramKind));
  const compilers = kindsToCheck(rules, kinds).flatMap((kind) => {
    const object = kinds.typeOf(kind);
    if (object === undefined) {
      return [];
    }
    const expressions = new PolicyExpressions({
      languageFor: storedLanguage,
      params: spec.paramKind !== undefined,
      requestResource: false,
      types: { object, params },
    });
    for (const variable of spec.variables ?? []) {
      expressions.addVariable(variable);
    }
    return [{ kind, expressions }];
  });
  const warningsOf = (fieldRef: string, source: string | undefined): ExpressionWarning[] => {
    if (source === undefined || source === "") {
      return [];
    }
    const warnings = compilers.flatMap(({ kind, expressions }) => {
      const { problem } = expressions.compile(source);
      const issues = /^compilation failed: (.*)$/s.exec(problem ?? "")?.[1];
      return issues === undefined ? [] : [`${nameOf(kind)}: ${issues}\n`];
    });
    return warnings.length === 0 ? [] : [{ fieldRef, warning: warnings.join("\n") }];
  };
  return (spec.validations ?? []).flatMap(({ expression, messageExpression }, at) => [
    ...warningsOf(`spec.validations[${at}].expression`, expression),
    ...warningsOf(`spec.validations[${at}].messageExpression`, messageExpression),
  ]);
}

function kindOf({ apiVersion = "", kind = "" }): GroupVersionKind {
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  return { group, version, kind };
}

function nameOf({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** Returns the kinds that rules name, sorted; a rule with a wildcard for groups or versions names none. */
function kindsToCheck(rules: readonly Rule[], kinds: KindTypes): readonly GroupVersionKind[] {
  const found = new Map<string, GroupVersionKind>();
  for (const { apiGroups = [], apiVersions = [], resources = [] } of rules) {
    const isWild = [...apiGroups, ...apiVersions].some((one) => one.includes("*"));
    const named = isWild ? [] : resources.filter((one) => !/[*/]/.test(one)).sort();
    for (const group of [...apiGroups].sort()) {
      for (const version of [...apiVersions].sort()) {
        for (const resource of named) {
          for (const kind of kinds.kindsOf({ group, version, resource })) {
            if (found.size < maxKinds) {
              found.set(nameOf(kind), kind);
            }
          }
        }
      }
    }
  }
  return [...found.values()].sort((a, b) => compare(sortKey(a), sortKey(b)));
}

function sortKey({ group, version, kind }: GroupVersionKind): string {
  return `${group}\0${version}\0${kind}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
