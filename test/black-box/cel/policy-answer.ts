import { mergeTyped } from "../../../packages/apiserver/src/phases/apply/typed-merge.js";
import {
  applyJsonPatch,
  JsonPatchError,
  JsonPatchTestFailed,
} from "../../../packages/apiserver/src/phases/patch/json-patch.js";
import { untyped } from "../../../packages/apiserver/src/schema/schema-node.js";
import type { OracleAnswer, OracleCase } from "../../../packages/cel/test/oracle/oracle-types.js";
import {
  type AdmissionRequest,
  evaluateMutatingPolicy,
  evaluateValidatingPolicy,
  type Mutation,
  MutationProblem,
} from "../../../packages/policy/src/index.js";

/** The parts of an answer about policies that must be equal. */
export interface PolicyAnswer {
  readonly decisions: readonly string[];
  readonly annotations: readonly string[];
  readonly problems: readonly string[];
  readonly object: unknown;
}

/** A case with a policy. */
export type PolicyCase = OracleCase & { readonly request: AdmissionRequest };

/** Returns our answer to a case with a policy. */
export function ourPolicy(one: PolicyCase): PolicyAnswer {
  const { validating, mutating, object = null, oldObject = null, params = null } = one;
  const { request, namespaceObject = null, authorizer } = one;
  const input = {
    request: {
      ...request,
      requestKind: request.kind,
      requestResource: request.resource,
      dryRun: request.dryRun ?? false,
      options: null,
    },
    object,
    oldObject,
    namespaceObject,
    params: [params],
    authorize: () => ({ ...authorizer, decision: decisionOf(authorizer?.decision) }),
  };
  if (mutating !== undefined) {
    const result = evaluateMutatingPolicy({ ...input, policy: mutating, applyMutation });
    return {
      decisions: [],
      annotations: [],
      problems: result.problems.map(renamed),
      object: result.object,
    };
  }
  const { decisions, annotations } = evaluateValidatingPolicy({
    ...input,
    policy: validating ?? {},
  });
  return {
    decisions: decisions.map((decision) => renamed(sortedJson(decision))),
    annotations: annotations.map((annotation) => renamed(sortedJson(annotation))),
    problems: [],
    object: undefined,
  };
}

/** Returns the parts of the oracle's answer that must be equal. */
export function theirPolicy(answer: OracleAnswer): PolicyAnswer {
  return {
    decisions: (answer.decisions ?? []).map((decision) => renamed(sortedJson(decision))),
    annotations: (answer.annotations ?? []).map((annotation) => renamed(sortedJson(annotation))),
    problems: (answer.problems ?? []).map(renamed),
    object: answer.object,
  };
}

function decisionOf(text: string | undefined): "Allow" | "Deny" | "NoOpinion" {
  return text === "Allow" || text === "Deny" ? text : "NoOpinion";
}

/** Applies a mutation without the schema of a kind: maps are merged, lists are replaced. */
function applyMutation(object: unknown, mutation: Mutation): unknown {
  if (mutation.patchType === "ApplyConfiguration") {
    return mergeTyped(object, mutation.configuration, untyped);
  }
  try {
    return applyJsonPatch(object, mutation.operations);
  } catch (error) {
    if (error instanceof JsonPatchTestFailed) {
      return object;
    }
    if (error instanceof JsonPatchError) {
      throw new MutationProblem(`JSON Patch: ${error.message}`);
    }
    throw error;
  }
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** Syntax errors, and errors of patches that cannot be applied, have our words. */
function renamed(text: string): string {
  return text
    .replace(/(ERROR: <input>:\d+:\d+: Syntax error: )[^|]*/g, "$1")
    .replace(/: expected .*, got .*$/, ": not expected")
    .replace(/^JSON Patch: .*$/s, "JSON Patch");
}
