import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import { formats } from "./formats.js";
import { first, isUnsetIn, type Place, type Rule, type RuleMaker, whenSet } from "./rule.js";

/** Rules for single values: presence, bounds, and allowed values. */
export const valueRules: Readonly<Record<string, RuleMaker>> = {
  required: (_, field) =>
    first(({ path, value }) => (isUnsetIn(field, value) ? [cause.required(path)] : [])),
  forbidden: (_, field) =>
    first(({ path, value }) => (isUnsetIn(field, value) ? [] : [cause.forbidden(path, "")])),
  minimum: (least) =>
    bound(
      (value) => value < Number.parseInt(least, 10),
      `must be greater than or equal to ${Number.parseInt(least, 10)}`,
    ),
  maximum: (most) =>
    bound(
      (value) => value > Number.parseInt(most, 10),
      `must be less than or equal to ${Number.parseInt(most, 10)}`,
    ),
  maxLength: (most) =>
    ofText((text, path) =>
      [...text].length > Number(most) ? [cause.tooLong(path, Number(most), "character")] : [],
    ),
  maxBytes: (most) =>
    ofText((text, path) =>
      Buffer.byteLength(text) > Number(most) ? [cause.tooLong(path, Number(most))] : [],
    ),
  enum: (_, { enum: words = [] }) =>
    ofText((text, path) => (words.includes(text) ? [] : [cause.notSupported(path, text, words)])),
  format: (name) => {
    const format = formats[name.replaceAll('"', "")];
    return format === undefined
      ? undefined
      : ofText((text, path) =>
          format(text).map(({ why, shown = text, maxBytes }) =>
            maxBytes === undefined
              ? cause.invalid(path, shown, why)
              : cause.tooLong(path, maxBytes),
          ),
        );
  },
};

function bound(isBeyond: (value: bigint | number) => boolean, why: string): Rule {
  return whenSet(({ path, value }) =>
    (typeof value === "number" || typeof value === "bigint") && isBeyond(value)
      ? [cause.invalid(path, value, why)]
      : [],
  );
}

function ofText(check: (text: string, path: string) => FieldErrors): Rule {
  return whenSet(({ path, value }: Place) => (typeof value === "string" ? check(value, path) : []));
}
