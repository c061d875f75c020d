// The forms of texts that several packages read, for libraries that build on them. Semver does not cover this entry point: it may change in any release.

export {
  label1035Texts,
  labelTexts,
  labelValueTexts,
  qualifiedNameTexts,
  subdomainTexts,
} from "./names/name-texts.js";
export { formatQuantity } from "./quantity/format-quantity.js";
export { type Quantity, type QuantityParts, splitQuantity } from "./quantity/parse-quantity.js";
export type { FieldRequirement } from "./selectors/field-selector.js";
export type { LabelRequirement } from "./selectors/label-selector.js";
export { trimSpace } from "./text/trim-space.js";
