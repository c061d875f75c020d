// The parts that informers and other clients are made of, for libraries that build on them. Semver does not cover this entry point: it may change in any release.

export { assertIsOptions, assertSignalAndTimeout } from "./call-options.js";
export type { ClientContext } from "./client-context.js";
export type { DeepPartial } from "./deep-partial.js";
export { Discovery } from "./discovery/discovery.js";
export type { KindReference } from "./discovery/kind-reference.js";
export { assertNamespaceOption, namespaceArgument } from "./namespace-argument.js";
export { pageTokens } from "./page-tokens.js";
export { defaultPageSize, pageItems } from "./pager.js";
export { assertResource } from "./resource-of.js";
export { type ResourceLocation, resourcePath } from "./resource-path.js";
export { errorFromEvent, type ReadSupervisor, ResourceReader } from "./resource-reader.js";
export type { View } from "./view.js";
export { endsInitialEvents, initialEventsEndAnnotation } from "./watch-event.js";
