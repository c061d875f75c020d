import { cause, collectErrors } from "../../errors/field-errors.js";
import { objectsOf } from "../../objects/parts.js";
import {
  appendInvalid,
  type Check,
  validateCountOrPercent,
  validateLabels,
  validatePort,
  validatePortOrName,
  validateRange,
  validateUniqueKeys,
} from "../../phases/validate/checks.js";
import { type RuleMakers, readRule } from "../../phases/validate/declared/read-rule.js";
import {
  first,
  isUnsetIn,
  type Rule,
  type RuleMaker,
  whenSet,
} from "../../phases/validate/declared/rule.js";
import { valueRules } from "../../phases/validate/declared/value-rules.js";
import {
  validateAbsolutePath,
  validateFileMode,
  validateInwardPath,
  validateLocalPath,
  validateRelativePath,
} from "./paths.js";
import { validateSelector } from "./selectors.js";
import { textFormats } from "./text-formats.js";

/** Makers of the rules of upstream's hand-written code whose messages differ from those of declared rules. */
const ownMakers: RuleMakers = {
  required: (why, field) =>
    first(({ path, value }) =>
      isUnsetIn(field, value) ? [cause.required(path, why === "" ? undefined : why)] : [],
    ),
  // The words stand in the rule where the message lists them in another order, or only some of them.
  enum(list, { enum: known = [] }) {
    const words = list === "" ? known : list.split(",");
    return whenSet(({ path, value }) =>
      words.includes(String(value ?? "")) ? [] : [cause.notSupported(path, value ?? "", words)],
    );
  },
  format(name) {
    const texts = Object.hasOwn(textFormats, name) ? textFormats[name] : undefined;
    return (
      texts &&
      by((value, path, errors) =>
        appendInvalid(texts(String(value ?? "")), value ?? "", path, errors),
      )
    );
  },
  notEmpty: () => whenSet(({ path, value }) => (value === "" ? [cause.required(path)] : [])),
  range(limits) {
    const [least = 0, most] = limits.split(",").map(Number);
    // Zero is out of a range that begins with 1, although it counts as unset.
    return first(({ path, value }) =>
      collectErrors((errors) => validateRange(value, [least, most], path, errors)),
    );
  },
  countOrPercent: (most) =>
    by((value, path, errors) =>
      validateCountOrPercent(value, path, errors, most === "" ? undefined : Number(most)),
    ),
  uniqueBy: (key) =>
    by((items, path, errors) => validateUniqueKeys(objectsOf(items), key, path, errors)),
  port: () => by(validatePort),
  portOrName: () => by(validatePortOrName),
  labels: () => by(validateLabels),
  selector: () => by(validateSelector),
  absolutePath: () => by(validateAbsolutePath),
  relativePath: () => by(validateRelativePath),
  inwardPath: () => by(validateInwardPath),
  localPath: () => by(validateLocalPath),
  fileMode: () => by(validateFileMode),
};

function by(validate: Check<unknown>): Rule {
  return whenSet(({ path, value }) => collectErrors((errors) => validate(value, path, errors)));
}

/**
 * Creates the makers of rules of hand-written code. `always=RULE` also checks unset values; `nonZero=RULE` does not check
 * empty values, even of pointers.
 *
 * @param fields - maker of the rule `fields`: the rules of the struct's own type hold for the value, or each item.
 */
export function fieldRuleMakers(fields: RuleMaker): RuleMakers {
  const prefixed =
    (change: (rule: Rule) => Rule): RuleMaker =>
    (text, field) => {
      const rule = readRule(text, field, makers);
      return rule && change(rule);
    };
  const makers: RuleMakers = {
    ...valueRules,
    ...ownMakers,
    fields,
    always: prefixed(({ check }) => first(check)),
    nonZero: prefixed(({ check, isFirst }) => ({
      isFirst,
      check: (place) => (isUnsetIn({ type: "" }, place.value) ? [] : check(place)),
    })),
  };
  return makers;
}
