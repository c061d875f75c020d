import { mapOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import { isJsonObject, type JsonObject } from "../store/json-value.js";
import { type Causes, dataKeyTexts, isUnset, subdomain } from "./checks.js";
import { amountFieldCauses, variableFieldCauses } from "./pod-fields.js";

const sources = [
  "fieldRef",
  "resourceFieldRef",
  "configMapKeyRef",
  "secretKeyRef",
  "fileKeyRef",
] as const;
const nameText =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";

/** What is wrong with the environment of a container. */
export function envCauses(env: readonly JsonObject[], field: string): Causes {
  return env.flatMap((one, at) => {
    const { name, value, valueFrom } = one;
    const path = `${field}[${at}]`;
    return [
      ...(isUnset(name)
        ? [cause.required(`${path}.name`)]
        : /^[ -<>-~]+$/.test(String(name))
          ? []
          : [cause.invalid(`${path}.name`, name, nameText)]),
      ...(isJsonObject(valueFrom) ? sourceCauses(valueFrom, value, `${path}.valueFrom`) : []),
    ];
  });
}

function sourceCauses(from: JsonObject, value: unknown, field: string): Causes {
  const given = sources.filter((key) => isJsonObject(from[key]));
  const causes = given.flatMap((key) => {
    const source = mapOf(from[key]);
    if (key === "configMapKeyRef" || key === "secretKeyRef") {
      return [
        ...subdomain(`${field}.${key}.name`, source["name"] ?? ""),
        ...(isUnset(source["key"])
          ? [cause.required(`${field}.${key}.key`)]
          : dataKeyTexts(String(source["key"])).map((why) =>
              cause.invalid(`${field}.${key}.key`, source["key"], why),
            )),
      ];
    }
    switch (key) {
      case "fieldRef":
        return variableFieldCauses(source, `${field}.fieldRef`);
      case "resourceFieldRef":
        return amountFieldCauses(source, `${field}.resourceFieldRef`, false);
      default:
        return [];
    }
  });
  if (given.length === 0) {
    const [last, ...others] = [...sources].reverse();
    const list = `${others.reverse().map(quoted).join(", ")} or ${quoted(last ?? "")}`;
    causes.push(cause.invalid(field, "", `must specify one of: ${list}`));
  } else if (!isUnset(value)) {
    causes.push(cause.invalid(field, "", "may not be specified when `value` is not empty"));
  } else if (given.length > 1) {
    causes.push(cause.invalid(field, "", "may not have more than one field specified at a time"));
  }
  return causes;
}

/** What is wrong with whole ConfigMaps and Secrets in the environment. */
export function envFromCauses(from: readonly JsonObject[], field: string): Causes {
  return from.flatMap((one, at) => {
    const given = ["configMapRef", "secretRef"].filter((key) => isJsonObject(one[key]));
    const causes = given.flatMap((key) => {
      const { name } = mapOf(one[key]);
      const path = `${field}[${at}].${key}.name`;
      return isUnset(name) ? [cause.required(path)] : subdomain(path, name);
    });
    if (given.length === 0) {
      causes.push(cause.invalid(field, "", "must specify one of: `configMapRef` or `secretRef`"));
    } else if (given.length > 1) {
      causes.push(cause.invalid(field, "", "may not have more than one field specified at a time"));
    }
    return causes;
  });
}

function quoted(word: string): string {
  return `\`${word}\``;
}
