import type { FieldErrors } from "../../../errors/field-errors.js";
import { cause } from "../../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../../objects/json-value.js";
import { mapOf, objectsOf } from "../../../objects/parts.js";
import { isUnset } from "../../../phases/validate/checks.js";
import {
  givenOneOf,
  notNegative,
  oneOf,
  qualifiedName,
} from "../../../phases/validate/old-checks.js";
import { indexText } from "./job-status.js";

const actions = ["Count", "FailIndex", "FailJob", "Ignore"];
const operators = ["In", "NotIn"];
const statuses = ["False", "True", "Unknown"];

/** Formats words like a Go list. */
const listed = (words: readonly string[]) =>
  `valid values: [${words.map((word) => `"${word}"`).join(" ")}]`;

/** Returns the field errors of a Job's pod failure policy. */
export function validateFailurePolicy(spec: JsonObject, field: string): FieldErrors {
  const { podFailurePolicy: policy, template } = spec;
  if (!isJsonObject(policy)) {
    return [];
  }
  const pod = mapOf(mapOf(template)["spec"]);
  const containers = ["containers", "initContainers"].flatMap((list) =>
    objectsOf(pod[list]).map(({ name }) => name),
  );
  const isPerIndex = !isUnset(spec["backoffLimitPerIndex"]);
  return objectsOf(policy["rules"]).flatMap((rule, at) =>
    validateRule(rule, `${field}.rules[${at}]`, containers, isPerIndex),
  );
}

function validateRule(
  { action, onExitCodes, onPodConditions }: JsonObject,
  field: string,
  containers: readonly unknown[],
  isPerIndex: boolean,
): FieldErrors {
  const conditions = objectsOf(onPodConditions);
  const hasCodes = isJsonObject(onExitCodes);
  return [
    ...validateWord(action, actions, `${field}.action`),
    ...(action === "FailIndex" && !isPerIndex
      ? [cause.invalid(`${field}.action`, action, "requires the backoffLimitPerIndex to be set")]
      : []),
    ...(hasCodes ? validateCode(onExitCodes, `${field}.onExitCodes`, containers) : []),
    ...conditions.flatMap(({ type, status }, at) => [
      ...qualifiedName(`${field}.onPodConditions[${at}].type`, String(type ?? "")),
      ...oneOf(`${field}.onPodConditions[${at}].status`, status, statuses),
    ]),
    ...(hasCodes && conditions.length > 0
      ? [unshown(field, "specifying both OnExitCodes and OnPodConditions is not supported")]
      : []),
    ...(!hasCodes && conditions.length === 0
      ? [unshown(field, "specifying one of OnExitCodes and OnPodConditions is required")]
      : []),
  ];
}

/** Returns an Invalid error that does not show the value. */
function unshown(field: string, why: string) {
  return { ...cause.invalid(field, "", why), message: `Invalid value: ${why}` };
}

function validateWord(value: unknown, words: readonly string[], field: string): FieldErrors {
  return isUnset(value) ? [cause.required(field, listed(words))] : oneOf(field, value, words);
}

function validateCode(
  { containerName, operator, values }: JsonObject,
  field: string,
  containers: readonly unknown[],
): FieldErrors {
  const given: unknown[] = Array.isArray(values) ? values : [];
  const isKnown =
    containerName === undefined || containerName === null || containers.includes(containerName);
  const path = `${field}.values`;
  const isOrdered = given.every((value, at) => at === 0 || Number(given[at - 1]) <= Number(value));
  return [
    ...validateWord(operator, operators, `${field}.operator`),
    ...(isKnown
      ? []
      : [
          cause.invalid(
            `${field}.containerName`,
            containerName,
            "must be one of the container or initContainer names in the pod template",
          ),
        ]),
    ...(given.length === 0
      ? [cause.invalid(path, values ?? null, "at least one value is required")]
      : []),
    ...given.flatMap((value, at) =>
      given.indexOf(value) < at
        ? [cause.duplicate(`${path}[${at}]`, value)]
        : operator === "In" && value === 0
          ? [cause.invalid(`${path}[${at}]`, 0, "must not be 0 for the In operator")]
          : [],
    ),
    ...(isOrdered ? [] : [cause.invalid(path, given, "must be ordered")]),
  ];
}

/** Returns the field errors of an indexed Job's success policy. */
export function validateSuccessPolicy(spec: JsonObject, field: string): FieldErrors {
  const { successPolicy: policy, completionMode } = spec;
  if (!isJsonObject(policy)) {
    return [];
  }
  const rules = objectsOf(policy["rules"]);
  if (completionMode !== "Indexed") {
    const shown = {
      Rules: rules.map(({ succeededIndexes = null, succeededCount = null }) => ({
        SucceededIndexes: succeededIndexes,
        SucceededCount: succeededCount,
      })),
    };
    return [cause.invalid(field, shown, "requires indexed completion mode")];
  }
  if (rules.length === 0) {
    return [
      cause.required(
        `${field}.rules`,
        "at least one rules must be specified when the successPolicy is specified",
      ),
    ];
  }
  return rules.flatMap((rule, at) =>
    validateSuccessRule(rule, Number(spec["completions"] ?? 0), `${field}.rules[${at}]`),
  );
}

function validateSuccessRule(
  { succeededIndexes, succeededCount }: JsonObject,
  completions: number,
  field: string,
): FieldErrors {
  const hasIndexes = typeof succeededIndexes === "string";
  const text = hasIndexes ? succeededIndexes : "";
  const why = indexText(text, completions);
  const most: [number, string][] = [
    [completions, "the number of specified completions"],
    ...(hasIndexes
      ? ([
          [
            why === undefined ? countOf(text) : 0,
            "the number of indexes in the specified succeededIndexes field",
          ],
        ] as [number, string][])
      : []),
  ];
  const path = `${field}.succeededCount`;
  return [
    ...(!hasIndexes && isUnset(succeededCount)
      ? [
          cause.required(
            field,
            "at least one of succeededCount or succeededIndexes must be specified",
          ),
        ]
      : []),
    ...(why === undefined
      ? []
      : [
          cause.invalid(
            `${field}.succeededIndexes`,
            text,
            `error parsing succeededIndexes: ${why}`,
          ),
        ]),
    ...notNegative(path, succeededCount),
    ...(typeof succeededCount === "number"
      ? most.flatMap(([count, what]) =>
          succeededCount > count
            ? [
                cause.invalid(
                  path,
                  succeededCount,
                  `must be less than or equal to ${count} (${what})`,
                ),
              ]
            : [],
        )
      : []),
  ];
}

/** Counts the indexes in a valid list: `1,3-5` has four. */
function countOf(text: string): number {
  return text === ""
    ? 0
    : text.split(",").reduce((sum, part) => {
        const [first, last = first] = part.split("-").map(Number);
        return sum + Number(last) - Number(first) + 1;
      }, 0);
}

const maxManagerLength = 63;

/** Returns the field errors of `managedBy`, the name of an external Job controller. */
export function validateManager(manager: unknown, field: string): FieldErrors {
  if (manager === undefined || manager === null) {
    return [];
  }
  const text = String(manager);
  if (text === "") {
    return [cause.required(field)];
  }
  const [domain = "", ...path] = text.split("/");
  const isRight =
    path.length > 0 && path.join("/") !== "" && qualifiedName(field, `${domain}/a`).length === 0;
  return [
    ...(isRight
      ? []
      : [cause.invalid(field, text, 'must be a domain-prefixed path (such as "acme.io/foo")')]),
    ...(text.length > maxManagerLength ? [cause.tooLong(field, maxManagerLength)] : []),
  ];
}

/** Returns the field errors of a Job's pod replacement policy: with a pod failure policy only `Failed` is allowed. */
export function validateReplacement(spec: JsonObject, field: string): FieldErrors {
  const hasPolicy = isJsonObject(spec["podFailurePolicy"]);
  return givenOneOf(
    field,
    spec["podReplacementPolicy"],
    hasPolicy ? ["Failed"] : ["Failed", "TerminatingOrFailed"],
  );
}
