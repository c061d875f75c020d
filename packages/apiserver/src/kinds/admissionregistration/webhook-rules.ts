import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { type JsonObject, stringsOf } from "../../objects/json-value.js";
import {
  type Check,
  validateItems,
  validateOneOf,
  validateRequired,
} from "../../phases/validate/checks.js";
import { validateFields } from "../fields/validate-fields.js";

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];

/** A list of a rule. */
interface RuleList {
  readonly key: string;
  /** Entry that covers everything, so it must be the only one. */
  readonly all: string;
  /** Name of the entries in errors. */
  readonly called: string;
  /** Checks an entry. Default: any is valid. */
  readonly validateEntry?: Check<string>;
}

const ruleLists: readonly RuleList[] = [
  {
    key: "operations",
    all: "*",
    called: "operations",
    validateEntry: (entry, path, errors) => validateOneOf(entry, operations, path, errors),
  },
  // The core group is the empty string.
  { key: "apiGroups", all: "*", called: "API groups" },
  { key: "apiVersions", all: "*", called: "API versions", validateEntry: validateRequired },
  { key: "resources", all: "*/*", called: "resources", validateEntry: validateRequired },
];

/** Appends the field errors of a rule of an admission webhook. */
export function validateRule(rule: JsonObject, path: string, errors: FieldErrors): void {
  const resources = stringsOf(rule["resources"]);
  for (const list of ruleLists) {
    validateRuleList(list, stringsOf(rule[list.key]), `${path}.${list.key}`, errors);
  }
  if (!resources.includes("*/*")) {
    validateCoveredResources(resources, `${path}.resources`, errors);
  }
  validateFields("admissionregistration/v1.RuleWithOperations", rule, path, errors);
}

function validateRuleList(
  { all, called, validateEntry = () => undefined }: RuleList,
  given: readonly string[],
  path: string,
  errors: FieldErrors,
): void {
  if (given.length === 0) {
    errors.push(cause.required(path));
  }
  if (given.length > 1 && given.includes(all)) {
    const why = `if '${all}' is present, must not specify other ${called}`;
    errors.push(cause.invalid(path, given, why));
  }
  validateItems(given, validateEntry, path, errors);
}

/** Appends errors for resources that an earlier entry of the list already covers. */
function validateCoveredResources(
  resources: readonly string[],
  path: string,
  errors: FieldErrors,
): void {
  for (const [at, entry] of resources.entries()) {
    const [resource = "", subresource] = entry.split(/\/(.*)/s);
    const earlier = resources.slice(0, at);
    const covering =
      subresource === undefined
        ? []
        : [`${resource}/*`, `*/${subresource}`].filter((all) => earlier.includes(all));
    for (const all of covering) {
      const why = `if '${all}' is present, must not specify ${entry}`;
      errors.push(cause.invalid(`${path}[${at}]`, entry, why));
    }
  }
  const plain = resources.filter((resource) => !resource.includes("/"));
  if (plain.length > 1 && plain.includes("*")) {
    const why = "if '*' is present, must not specify other resources without subresources";
    errors.push(cause.invalid(path, resources, why));
  }
}
