// The parts that informers and other clients are made of, for libraries that build on them. Semver does not cover this entry point: it may change in any release.

export { assertIsOptions, assertSignalAndTimeout } from "./call-options.js";
export type { ClientContext } from "./client-context.js";
export { Discovery } from "./discovery/discovery.js";
export { assertNamespaceOption, namespaceArgument } from "./namespace-argument.js";
export { pageTokens } from "./page-tokens.js";
export { defaultPageSize, pageItems } from "./pager.js";
export { type ReaderOptions, readerOf } from "./reader-of.js";
export { assertResource } from "./resource-of.js";
export { type ResourceLocation, resourcePath } from "./resource-path.js";
export { errorFromEvent, type ReadSupervisor, ResourceReader } from "./resource-reader.js";
export { contextOf } from "./server-client.js";
export type { View } from "./view.js";
export { endsInitialEvents, initialEventsEndAnnotation } from "./watch-event.js";
