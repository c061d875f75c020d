/**
 * CEL as Kubernetes evaluates it: expressions, and the validation rules of definitions.
 *
 * @module typekube/cel
 */

// Compile and evaluate

export type {
  Call,
  CallEstimate,
  CallToEstimate,
  CelEnv,
  CelEnvOptions,
  CelError,
  CelErrorCode,
  CelInput,
  CelInt,
  CelKind,
  CelLibrary,
  CelResult,
  CelRule,
  CelValue,
  CompileProblem,
  Comprehension,
  EstimatedValue,
  EvaluateOptions,
  Evaluation,
  Expression,
  ExpressionMode,
  FunctionDeclaration,
  Identifier,
  ListExpression,
  Literal,
  MapEntry,
  MapExpression,
  Overload,
  OverloadCosts,
  Select,
  StructExpression,
  StructField,
} from "@typekube/cel";
export {
  ArrayList,
  boolType,
  bytesType,
  CelCompileError,
  CelDouble,
  CelDuration,
  CelFailure,
  CelList,
  CelMap,
  CelObject,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelType,
  CelUint,
  celEnv,
  doubleType,
  durationType,
  dynType,
  EntryMap,
  Estimate,
  intType,
  library,
  listType,
  mapType,
  memberOverload,
  nullType,
  objectType,
  opaqueType,
  optionalType,
  overload,
  StructType,
  stringType,
  timestampType,
  typeParameter,
  typeType,
  uintType,
} from "@typekube/cel";

// Validation rules of definitions

export type { RuleEvaluation, RuleFindings } from "@typekube/schema/rules";
export { evaluate } from "@typekube/schema/rules";
