import type { Mutation } from "@typekube/policy";
import type { ServerContext } from "../../context/server-context.js";
import { policyPackage } from "../../kinds/admissionregistration/policy-package.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mergeTyped } from "../../phases/apply/typed-merge.js";
import { typedProblems } from "../../phases/apply/typed-problems.js";
import {
  applyJsonPatch,
  JsonPatchError,
  JsonPatchTestFailed,
} from "../../phases/patch/json-patch.js";
import { type SchemaNode, untyped } from "../../schema/schema-node.js";
import { PendingCall } from "../../time/pending-call.js";
import type { Match } from "../matching/find-match.js";
import { atomicPlaces } from "./atomic-places.js";

/**
 * Applies a mutation of a policy to an object. A JSON Patch whose test fails changes nothing.
 *
 * @param match - The version that the policy sees.
 * @throws {MutationProblem} for a mutation that does not fit the object.
 * @throws {PendingCall} when the schema is not loaded yet.
 */
export function applyMutation(
  object: JsonObject,
  mutation: Mutation,
  match: Match,
  server: Pick<ServerContext, "schemas">,
): JsonObject {
  return mutation.patchType === "JSONPatch"
    ? patched(object, mutation.operations)
    : merged(object, mutation.configuration, schemaOf(match, server));
}

function patched(object: JsonObject, operations: Parameters<typeof applyJsonPatch>[1]): JsonObject {
  const { MutationProblem } = policyPackage();
  try {
    const result = applyJsonPatch(object, operations);
    if (!isJsonObject(result)) {
      throw new MutationProblem("JSON Patch: the result is not an object");
    }
    return result;
  } catch (error) {
    if (error instanceof JsonPatchTestFailed) {
      return object;
    }
    if (error instanceof JsonPatchError) {
      throw new MutationProblem(`JSON Patch: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

function merged(object: JsonObject, configuration: JsonObject, schema: SchemaNode): JsonObject {
  const { MutationProblem } = policyPackage();
  const { apiVersion, kind } = object;
  const given = { ...configuration, apiVersion, kind };
  const refuse = (why: string) => new MutationProblem(`error applying patch: ${why}`);
  const problems = typedProblems(given, schema);
  if (problems.length > 0) {
    const [first = ""] = problems;
    const all = `errors:\n${problems.map((one) => `  ${one}`).join("\n")}`;
    const why = problems.length === 1 ? first : all;
    throw refuse(`failed to convert patch object to typed object: ${why}`);
  }
  const atomic = atomicPlaces(given, schema);
  if (atomic.length > 0) {
    const places = atomic.join(", ");
    throw refuse(
      `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${places}`,
    );
  }
  const result = mergeTyped(object, given, schema);
  return isJsonObject(result) ? result : object;
}

const schemas = new WeakMap<Match["resource"], SchemaNode>();

/**
 * Returns the schema of the kind that a policy sees; most objects of subresources have none.
 *
 * @throws {MutationProblem} for a Scale, whose type real servers do not know here: only JSON Patches can change it.
 */
function schemaOf({ resource, kind }: Match, server: Pick<ServerContext, "schemas">): SchemaNode {
  if (kind.kind === "Scale" && kind.group === "autoscaling") {
    throw new (policyPackage().MutationProblem)(
      `error applying patch: failed to convert patch object to typed object: no corresponding type for autoscaling/${kind.version}, Kind=Scale`,
    );
  }
  if (kind.kind !== resource.kind) {
    return untyped;
  }
  const known = schemas.get(resource);
  if (known === undefined) {
    throw new PendingCall(async () => {
      schemas.set(resource, await server.schemas(resource));
    });
  }
  return known;
}
