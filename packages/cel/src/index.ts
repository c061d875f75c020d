// Compile and evaluate
export { type CelEnv, type CelEnvOptions, celEnv } from "./environment/cel-env.js";
export type {
  CelInput,
  CelRule,
  Evaluation,
} from "./environment/cel-rule.js";
export { CelCompileError } from "./environment/compile-error.js";
export type { ExpressionMode } from "./environment/language-versions.js";
export type { CelError, CelErrorCode, EvaluateOptions } from "./environment/program.js";
// Explain
export type { Conjunct } from "./explain/conjuncts.js";
export type { FalseConjunct } from "./explain/explain.js";
export type { ExplainOptions, Explanation } from "./explain/explanation.js";
export type { IsSecret } from "./explain/secret-nodes.js";
// Own libraries
export type { CallEstimate, CallToEstimate, EstimatedValue } from "./functions/call-estimate.js";
export { Estimate } from "./functions/estimate.js";
export type { CelLibrary } from "./functions/library.js";
export {
  type FunctionDeclaration,
  memberOverload,
  type Overload,
  type OverloadCosts,
  overload,
} from "./functions/overload.js";
export { library } from "./functions/user-library.js";
// Authorization checks
export type {
  AuthorizationAttributes,
  AuthorizationDecision,
  Authorize,
  AuthorizerUser,
  CheckedSelector,
  PathAttributes,
  ResourceAttributes,
  ResourceOfRequest,
} from "./libraries/authorizer/authorize.js";
// Lint
export type { CelLint, CelLintCode } from "./lint/lint-expression.js";
export type { ExpressionUses } from "./lint/uses.js";
export type { CompileProblem } from "./syntax/compile-problem.js";
// The syntax tree
export type {
  Call,
  Comprehension,
  Expression,
  Identifier,
  ListExpression,
  Literal,
  MapEntry,
  MapExpression,
  Select,
  StructExpression,
  StructField,
} from "./syntax/expression.js";
// Values
export { CelDouble } from "./values/cel-double.js";
export { CelDuration } from "./values/cel-duration.js";
export { CelFailure } from "./values/cel-failure.js";
export type { CelInt } from "./values/cel-int.js";
export { ArrayList, CelList } from "./values/cel-list.js";
export { CelMap, EntryMap } from "./values/cel-map.js";
export { CelObject } from "./values/cel-object.js";
export { CelOpaque } from "./values/cel-opaque.js";
export { CelOptional } from "./values/cel-optional.js";
export { CelTimestamp } from "./values/cel-timestamp.js";
// Types
export {
  boolType,
  bytesType,
  type CelKind,
  CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  opaqueType,
  optionalType,
  stringType,
  timestampType,
  typeParameter,
  typeType,
  uintType,
} from "./values/cel-type.js";
export { CelUint } from "./values/cel-uint.js";
export type { CelResult, CelValue } from "./values/cel-value.js";
export { objectType, StructType } from "./values/struct-type.js";
