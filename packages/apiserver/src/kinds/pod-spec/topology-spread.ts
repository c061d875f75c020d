import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { validateItems, validateQualifiedName } from "../../phases/validate/checks.js";
import { fieldValidator } from "../fields/validate-fields.js";

/** Appends the field errors of topology spread constraints. */
export function validateSpread(
  constraints: readonly JsonObject[],
  path: string,
  errors: FieldErrors,
): void {
  const pairs = constraints.map(
    ({ topologyKey, whenUnsatisfiable }) =>
      `{${String(topologyKey)}, ${String(whenUnsatisfiable)}}`,
  );
  for (const [at, constraint] of constraints.entries()) {
    validateConstraint(constraint, `${path}[${at}]`, errors);
    const { [at]: pair = "" } = pairs;
    if (pairs.includes(pair, at + 1)) {
      errors.push(cause.duplicate(`${path}[${at}].{topologyKey, whenUnsatisfiable}`, pair));
    }
  }
}

function validateConstraint(one: JsonObject, path: string, errors: FieldErrors): void {
  const { maxSkew } = one;
  const validate = fieldValidator("core/v1.TopologySpreadConstraint", one, path, errors);
  if (typeof maxSkew !== "number" || !(maxSkew > 0)) {
    errors.push(cause.invalid(`${path}.maxSkew`, maxSkew ?? 0, "must be greater than zero"));
  }
  validate("topologyKey", "whenUnsatisfiable");
  validateMinDomains(one, `${path}.minDomains`, errors);
  validate("nodeAffinityPolicy", "nodeTaintsPolicy");
  validateComparedKeys(one, "matchLabelKeys", path, errors);
  validate("labelSelector");
}

/** Appends the field errors of keys of labels that are compared with the pod's own labels. */
export function validateComparedKeys(
  holder: JsonObject,
  list: string,
  path: string,
  errors: FieldErrors,
): void {
  const keys = stringsOf(holder[list]);
  if (keys.length > 0 && !isJsonObject(holder["labelSelector"])) {
    const why = "must not be specified when labelSelector is not set";
    errors.push(cause.forbidden(`${path}.${list}`, why));
  } else {
    validateItems(keys, validateQualifiedName, `${path}.${list}`, errors);
  }
}

function validateMinDomains(
  { minDomains, whenUnsatisfiable }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  if (typeof minDomains !== "number") {
    return;
  }
  if (!(minDomains > 0)) {
    errors.push(cause.invalid(path, minDomains, "must be greater than zero"));
  }
  if (whenUnsatisfiable !== "DoNotSchedule") {
    const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${String(whenUnsatisfiable ?? "")}`;
    errors.push(cause.invalid(path, minDomains, why));
  }
}
