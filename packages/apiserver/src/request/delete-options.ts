import type { StatusCause } from "@typekube/core";
import { cause } from "../errors/field-errors.js";
import { badRequest, invalidOptions } from "../errors/status-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../objects/json-value.js";
import { goKind, typeProblemOf } from "./delete-options-types.js";
import { readInteger } from "./list-options.js";
import { isOn } from "./request-info.js";
import { validateDryRun } from "./write-options.js";

/** Parsed and validated options of a delete. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly propagationPolicy: "Background" | "Foreground" | "Orphan" | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly ignoreReadErrors: boolean;
}

const policies = ["Foreground", "Background", "Orphan"];

/** Reads the options of a delete. A body replaces the query completely. */
export function readDeleteOptionsOf(
  query: URLSearchParams,
  body: JsonObject | undefined,
): DeleteOptions {
  const given = body ?? fromQuery(query);
  assertOptions(given);
  const { propagationPolicy, orphanDependents, gracePeriodSeconds } = given;
  const values: unknown = given["dryRun"];
  // Go reads null as the empty string, which is no value of dryRun.
  const dryRun = stringsOf(Array.isArray(values) ? values.map((value) => value ?? "") : values);
  const preconditions = isJsonObject(given["preconditions"]) ? given["preconditions"] : {};
  const ignoreReadErrors = given["ignoreStoreReadErrorWithClusterBreakingPotential"] === true;
  const causes = [
    ...validateDryRun(dryRun),
    ...validatePolicy(propagationPolicy, orphanDependents),
  ];
  if (ignoreReadErrors) {
    causes.push(...validateUnsafeDelete(given));
  }
  if (causes.length > 0) {
    throw invalidOptions("DeleteOptions", causes);
  }
  const policy =
    propagationPolicy ??
    (orphanDependents === true ? "Orphan" : orphanDependents === false ? "Background" : undefined);
  return {
    dryRun: dryRun.length > 0,
    gracePeriodSeconds: typeof gracePeriodSeconds === "number" ? gracePeriodSeconds : undefined,
    propagationPolicy: policy as DeleteOptions["propagationPolicy"],
    uid: textOf(preconditions["uid"]),
    resourceVersion: textOf(preconditions["resourceVersion"]),
    ignoreReadErrors,
  };
}

/** Checks that a body is DeleteOptions, of any group, and that its fields have the correct types. */
function assertOptions(given: JsonObject): void {
  const { kind = "DeleteOptions", apiVersion = "v1" } = given;
  for (const [field, value] of Object.entries({ apiVersion, kind })) {
    if (typeof value !== "string") {
      throw badRequest(
        `couldn't get version/kind; json parse error: json: cannot unmarshal ${goKind(value)} into Go struct field .${field} of type string`,
      );
    }
  }
  if (kind !== "DeleteOptions") {
    throw badRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  const problem = typeProblemOf(given);
  if (problem !== undefined) {
    throw badRequest(problem);
  }
}

function fromQuery(query: URLSearchParams): JsonObject {
  const options: JsonObject = {};
  const grace = readInteger(query.get("gracePeriodSeconds"));
  if (grace !== undefined) {
    options["gracePeriodSeconds"] = grace;
  }
  if (query.has("propagationPolicy")) {
    options["propagationPolicy"] = query.get("propagationPolicy");
  }
  if (query.has("orphanDependents")) {
    options["orphanDependents"] = isOn(query.get("orphanDependents"));
  }
  const unsafe = "ignoreStoreReadErrorWithClusterBreakingPotential";
  if (query.has(unsafe)) {
    options[unsafe] = isOn(query.get(unsafe));
  }
  if (query.has("dryRun")) {
    options["dryRun"] = query.getAll("dryRun");
  }
  return options;
}

function validatePolicy(policy: unknown, orphanDependents: unknown): StatusCause[] {
  if (policy === undefined) {
    return [];
  }
  if (orphanDependents !== undefined) {
    const why = "orphanDependents and deletionPropagation cannot be both set";
    return [cause.invalid("propagationPolicy", policy, why)];
  }
  return policies.includes(policy as string)
    ? []
    : [cause.notSupported("propagationPolicy", policy, [...policies, "nil"])];
}

/** Returns errors for options that can't be combined with an unsafe delete. */
function validateUnsafeDelete(given: JsonObject): StatusCause[] {
  const field = "ignoreStoreReadErrorWithClusterBreakingPotential";
  return ["dryRun", "propagationPolicy", "orphanDependents", "gracePeriodSeconds", "preconditions"]
    .filter((name) => given[name] !== undefined)
    .map((name) => cause.invalid(field, true, `cannot be set together with .${name}`));
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
