// The parts that informers and other clients are made of, for libraries that build on them. Semver does not cover this entry point: it may change in any release.

export { markDefined } from "./define/defined-resources.js";
export { pluralOf } from "./define/plural-of.js";
export { Discovery } from "./discovery/discovery.js";
export { pageTokens } from "./list/page-tokens.js";
export { defaultPageSize, pageItems } from "./list/pager.js";
export { assertIsOptions, assertSignalAndTimeout } from "./options/call-options.js";
export { encodings } from "./options/encoding-options.js";
export { type AnyFieldsOption, fieldsCheck } from "./options/fields-option.js";
export { assertNamespaceOption, namespaceArgument } from "./options/namespace-argument.js";
export { selectorOptions } from "./options/selector-options.js";
export { LogStream } from "./pod-logs/log-stream.js";
export type { LogView } from "./pod-logs/log-view.js";
export type { PodSource } from "./pod-target/pod-source.js";
export type { PodTarget } from "./pod-target/pod-target.js";
export { podTarget } from "./pods/named-pod.js";
export { PodCalls } from "./pods/pod-calls.js";
export { type ReaderOptions, readerOf } from "./reader-of.js";
export { type ResourceLocation, resourcePath } from "./request/resource-path.js";
export type { ClientContext } from "./resource/client-context.js";
export { assertResource, operationsOf, resourceOf } from "./resource/resource-of.js";
export type { ResourceOperations } from "./resource/resource-operations.js";
export { type ReadSupervisor, ResourceReader } from "./resource/resource-reader.js";
export { wasCreated } from "./response/created.js";
export type { View } from "./response/view.js";
export { contextOf } from "./server-client.js";
export { errorFromEvent } from "./watch/error-from-event.js";
export { endsInitialEvents, initialEventsEndAnnotation } from "./watch/watch-event.js";

/** Loads the differences of two texts. */
export function loadDiff(): Promise<typeof import("./manifests/unified-diff.js")> {
  return import("./manifests/unified-diff.js");
}

/** Loads the parts that logs of many pods are made of. */
export function loadLogs(): Promise<typeof import("./pod-logs/internal.js")> {
  return import("./pod-logs/internal.js");
}

/** Loads the parts that sessions with containers are made of. */
export function loadSessions(): Promise<typeof import("./pods/session-parts.js")> {
  return import("./pods/session-parts.js");
}

/** Loads the reader and writer of tar archives. */
export function loadTar(): Promise<typeof import("./pod-files/tar/internal.js")> {
  return import("./pod-files/tar/internal.js");
}
export { assertWhole } from "./write/assert-whole.js";
