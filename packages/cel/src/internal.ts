// Entry point "@typekube/cel/internal", for the other packages; outside of semver.

export { type Compilation, Environment, type EnvironmentParts } from "./environment/environment.js";
export { type Language, languageOf } from "./environment/language-versions.js";
export { Program, type ProgramOutcome } from "./environment/program.js";
export type { TypeProvider } from "./environment/type-provider.js";
export { isStackOverflow } from "./evaluate/stack-overflow.js";
export type { CelLibrary } from "./functions/library.js";
export { toCel } from "./inputs/to-cel.js";
export { authorizerType, CelAuthorizer } from "./libraries/authorizer/cel-authorizer.js";
export { CelResourceCheck, resourceCheckType } from "./libraries/authorizer/cel-resource-check.js";
export { jsonpatchLibrary } from "./libraries/jsonpatch/jsonpatch-library.js";
export { isSameType, structType } from "./values/cel-type.js";
export { equality, isEqual } from "./values/equals.js";
export { formatDuration, formatTimestamp } from "./values/format-time.js";
export { mapKey } from "./values/map-key.js";
export { readDuration, readTimestamp } from "./values/read-time.js";
export { collectStructs } from "./values/struct-type.js";
export { typeOf } from "./values/type-of.js";
