import { KubeError } from "@typekube/core";
import type { ServedResource } from "../../resources/served-resource.js";
import type { SchemaNode } from "../../schema/schema-node.js";
import { createCheckServer } from "../engine/check-server.js";
import { checkedVersions } from "../options/check-options.js";

/** Which validations of a built-in kind a check has, beyond its schema and metadata. */
export interface KindCoverage {
  readonly apiVersion: string;
  readonly kind: string;
  /** Number of rules that the Go types declare. All of them are checked. */
  readonly declaredRules: number;
  /** `true` if the hand-written rules of kube-apiserver for the kind are emulated. `false` if none of them is. */
  readonly hasCode: boolean;
  /** Fields whose declaration says that kube-apiserver validates them in code. */
  readonly fieldsInCode: readonly string[];
}

/**
 * Returns which validations a check has for each built-in kind of a release.
 *
 * @param version - release of Kubernetes. Default "1.37".
 * @throws {KubeError} `InvalidArgument` for a release that cannot be checked.
 */
export async function kindCoverage(version: string = "1.37"): Promise<readonly KindCoverage[]> {
  if (!checkedVersions.includes(version)) {
    throw new KubeError("InvalidArgument", `no schemas of Kubernetes ${version} are included`, {
      hint: `choose a release from ${checkedVersions[0]} to ${checkedVersions.at(-1)}`,
    });
  }
  const { context } = createCheckServer(version);
  const found: KindCoverage[] = [];
  for (const resource of context.registry.resources) {
    const { group, version: own, kind } = resource;
    const rules = [...declaredRules(await context.schemas(resource), "", [])];
    found.push({
      apiVersion: group === "" ? own : `${group}/${own}`,
      kind,
      declaredRules: rules.filter(({ isCode }) => !isCode).length,
      hasCode: hasCode(resource),
      fieldsInCode: rules.filter(({ isCode }) => isCode).map(({ field }) => field),
    });
  }
  const key = ({ apiVersion, kind }: KindCoverage) => `${apiVersion} ${kind}`;
  return found.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function hasCode({ strategy }: ServedResource): boolean {
  const { validate, validateCreate, validateUpdate, validateWrite } = strategy;
  return [validate, validateCreate, validateUpdate, validateWrite].some((one) => one !== undefined);
}

interface DeclaredRule {
  readonly field: string;
  /** `true` for a field that is validated in code instead. */
  readonly isCode: boolean;
}

/** @param above - types around this one, which end the recursion of types that hold themselves. */
function* declaredRules(
  node: SchemaNode,
  path: string,
  above: readonly SchemaNode[],
): Generator<DeclaredRule> {
  if (above.includes(node)) {
    return;
  }
  const inside = [...above, node];
  if (node.form === "list") {
    yield* declaredRules(node.items, `${path}[*]`, inside);
  } else if (node.form === "map") {
    yield* declaredRules(node.values, `${path}.*`, inside);
  } else if (node.form === "struct") {
    for (const name of node.fieldNames) {
      const field = node.field(name);
      const below = path === "" ? name : `${path}.${name}`;
      for (const text of field?.schema.validations ?? []) {
        yield { field: below, isCode: text === "customValidation" };
      }
      if (field !== undefined) {
        yield* declaredRules(field.node, below, inside);
      }
    }
  }
}
