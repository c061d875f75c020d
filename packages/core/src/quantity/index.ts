// For libraries: the building blocks of quantities, `@typekube/core/quantity`

export { formatQuantity } from "./format-quantity.js";
export {
  divideUp,
  maxQuantityLength,
  nano,
  parseQuantity,
  type Quantity,
  quantityProblem,
} from "./parse-quantity.js";
