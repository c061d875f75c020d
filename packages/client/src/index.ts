// For everybody

export {
  Client,
  type ClientSettings,
  type DynamicResourceClient,
  type KindOf,
  type ServerVersion,
  type UnknownKind,
} from "./client.js";
export { type ConnectOptions, clientSettings, connect } from "./connect.js";
export type { AppliedObject, Manifests } from "./manifests.js";
export type { Downgrade } from "./negotiation.js";
export type {
  ApplyOptions,
  CallOptions,
  ClientDefaults,
  DeleteCollectionOptions,
  DeleteOptions,
  Encoding,
  EncodingOptions,
  GetOptions,
  ItemsOptions,
  ListOptions,
  SelectorOptions,
  TableListOptions,
  TableOptions,
  WatchOptions,
  WriteOptions,
} from "./options.js";
export type { JsonPatchOperation, MergePatchOf, Patch } from "./patch.js";
export { json, merge, strategic } from "./patch.js";
export type { AllNamespacesClient, MetadataClient, ResourceClient } from "./resource-client.js";
export { isDeleted } from "./resource-operations.js";
export { type IncludeObject, isTable, type RowObject, type Table, type TableRow } from "./table.js";
export { setDefaultWarningHandler, type WarningHandler } from "./warnings.js";
export type { BookmarkEvent, ObjectEvent, WatchEvent } from "./watch-event.js";

// For libraries: parts that informers and other clients are made of

export type { ClientContext } from "./client-context.js";
export type { DeepPartial } from "./deep-partial.js";
export { Discovery, type KindReference } from "./discovery/discovery.js";
export { defaultPageSize, pageItems } from "./pager.js";
export { type ResourceLocation, resourcePath } from "./resource-path.js";
export { errorFromEvent, ResourceReader } from "./resource-reader.js";
export type { View } from "./view.js";
export { endsInitialEvents, initialEventsEndAnnotation } from "./watch-event.js";
