import { KubeError } from "../errors/kube-error.js";

/** One condition of a label selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: "DoesNotExist" | "Exists" | "Gt" | "In" | "Lt" | "NotIn";
  readonly values: readonly string[];
}

/** Label selector as an object, as in `spec.selector` of a Deployment. */
export interface LabelSelectorObject {
  /** Labels and the values that they must equal. */
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  /** Requirements that must all be met: `In`, `NotIn`, `Exists` and `DoesNotExist`. */
  readonly matchExpressions?:
    | readonly {
        readonly key: string;
        readonly operator: string;
        readonly values?: readonly string[] | undefined;
      }[]
    | undefined;
}

/**
 * Label selector as callers write it: the API's string (`app=web,tier in (a,b)`), a record of labels and the values
 * that they must equal, or the selector object of a workload.
 */
export type LabelSelectorInput = string | LabelSelectorObject | Readonly<Record<string, string>>;

/**
 * Returns the API's string for any form of selector. "" selects everything.
 *
 * @throws {KubeError} `InvalidArgument` for keys and values that no label can have: a comma in a value would make it
 * another selector.
 */
export function formatLabelSelector(selector: LabelSelectorInput): string {
  if (typeof selector === "string") {
    return selector;
  }
  if (typeof selector !== "object" || selector === null || Array.isArray(selector)) {
    throw new KubeError(
      "InvalidArgument",
      "a label selector must be a string, an object of labels or a LabelSelector",
      {
        hint: "an empty selector would select everything",
      },
    );
  }
  if (isSelectorObject(selector)) {
    return formatRequirements(requirementsOf(selector));
  }
  return formatRequirements(equalityRequirements(selector));
}

function isSelectorObject(
  selector: LabelSelectorObject | Readonly<Record<string, string>>,
): selector is LabelSelectorObject {
  return (
    (typeof selector.matchLabels === "object" || selector.matchLabels === undefined) &&
    (Array.isArray(selector.matchExpressions) || selector.matchExpressions === undefined) &&
    (selector.matchLabels !== undefined || selector.matchExpressions !== undefined)
  );
}

function requirementsOf(selector: LabelSelectorObject): LabelRequirement[] {
  const operators = ["In", "NotIn", "Exists", "DoesNotExist"];
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    if (!operators.includes(operator)) {
      throw invalid(operator, `operator must be one of ${operators.join(", ")}`);
    }
    return { key, operator: operator as LabelRequirement["operator"], values };
  });
  return [...equalityRequirements(selector.matchLabels ?? {}), ...expressions];
}

function equalityRequirements(labels: Readonly<Record<string, string>>): LabelRequirement[] {
  return Object.entries(labels).map(([key, value]) => {
    if (typeof value !== "string") {
      throw invalid(key, `the value of "${key}" must be a string, not ${value}`);
    }
    return { key, operator: "In", values: [value] };
  });
}

function formatRequirements(requirements: readonly LabelRequirement[]): string {
  return requirements
    .map(({ key, operator, values }) => {
      checked(`${key} ${operator} (${values.join(",")})`, key, operator, values);
      switch (operator) {
        case "In":
          return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(",")})`;
        case "NotIn":
          return values.length === 1
            ? `${key}!=${values[0]}`
            : `${key} notin (${values.join(",")})`;
        case "Exists":
          return key;
        case "DoesNotExist":
          return `!${key}`;
        case "Gt":
          return `${key}>${values[0]}`;
        case "Lt":
          return `${key}<${values[0]}`;
        default:
          return operator satisfies never;
      }
    })
    .sort()
    .join(",");
}

const name = "[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?";
const dnsLabel = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const keyPattern = new RegExp(
  `^(?=(.{1,253}/)?[^/]{1,63}$)(${dnsLabel}(\\.${dnsLabel})*/)?${name}$`,
);
const valuePattern = new RegExp(`^(${name})?$`);
const setBased = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/;
const compared = /^([^=!<>\s]+)\s*(==|=|!=|>|<)\s*([^=!<>\s]*)$/;

/**
 * Parses the API's string form (apimachinery `labels.Parse`): `=`, `==`, `!=`, `in`, `notin`, `key`, `!key`, `>`, `<`.
 *
 * @throws {KubeError} `InvalidArgument` that names the invalid part.
 */
export function parseLabelSelector(text: string): LabelRequirement[] {
  return splitOutsideParentheses(text).map(parseRequirement);
}

function splitOutsideParentheses(text: string): string[] {
  if (text.trim() === "") {
    return [];
  }
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    const character = text[i];
    depth += character === "(" ? 1 : character === ")" ? -1 : 0;
    if (character === undefined || (character === "," && depth === 0)) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  return parts;
}

function parseRequirement(part: string): LabelRequirement {
  const set = setBased.exec(part);
  if (set) {
    const values = (set[3] ?? "").split(",").map((value) => value.trim());
    return checked(part, set[1] ?? "", set[2] === "in" ? "In" : "NotIn", values);
  }
  const comparison = compared.exec(part);
  if (comparison) {
    const [, key = "", sign, value = ""] = comparison;
    const operator = sign === "!=" ? "NotIn" : sign === ">" ? "Gt" : sign === "<" ? "Lt" : "In";
    if ((operator === "Gt" || operator === "Lt") && !/^-?\d+$/.test(value)) {
      throw invalid(part, "> and < need an integer");
    }
    return checked(part, key, operator, [value]);
  }
  return part.startsWith("!")
    ? checked(part, part.slice(1).trim(), "DoesNotExist", [])
    : checked(part, part, "Exists", []);
}

function checked(
  part: string,
  key: string,
  operator: LabelRequirement["operator"],
  values: readonly string[],
): LabelRequirement {
  if (!keyPattern.test(key)) {
    throw invalid(part, `"${key}" is not a valid label key`);
  }
  const wantsValues = operator !== "Exists" && operator !== "DoesNotExist";
  if (wantsValues !== values.length > 0) {
    throw invalid(part, `${operator} needs ${wantsValues ? "at least one value" : "no values"}`);
  }
  const wrong = values.find((value) => !valuePattern.test(value) || value.length > 63);
  if (wrong !== undefined) {
    throw invalid(part, `"${wrong}" is not a valid label value`);
  }
  return { key, operator, values };
}

function invalid(part: string, why: string): KubeError {
  return new KubeError("InvalidArgument", `unable to read label selector "${part}": ${why}`);
}

/** Returns whether labels meet every requirement. As in the API, `NotIn` also matches a missing key. */
export function matchesLabels(
  requirements: readonly LabelRequirement[],
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  return requirements.every(({ key, operator, values }) => {
    const value = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
    switch (operator) {
      case "In":
        return value !== undefined && values.includes(value);
      case "NotIn":
        return value === undefined || !values.includes(value);
      case "Exists":
        return value !== undefined;
      case "DoesNotExist":
        return value === undefined;
      case "Gt":
        return (
          value !== undefined && /^-?\d+$/.test(value) && BigInt(value) > BigInt(values[0] ?? 0)
        );
      case "Lt":
        return (
          value !== undefined && /^-?\d+$/.test(value) && BigInt(value) < BigInt(values[0] ?? 0)
        );
      default:
        return operator satisfies never;
    }
  });
}
