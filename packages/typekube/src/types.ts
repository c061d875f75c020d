/**
 * Types that programs rarely name: options, results and parts of the types of `typekube`.
 *
 * @module typekube/types
 */

// Clients of resources: the methods that each verb brings

export type {
  Creating,
  Deleting,
  DeletingCollections,
  Getting,
  Listing,
  MetadataClient,
  Modifying,
  Patching,
  PatchingMetadata,
  TablesOfMany,
  TablesOfOne,
  Updating,
  ViewingMetadata,
  Watching,
} from "@typekube/client";
export type { Waiting } from "@typekube/informer";

// Options and results

export type {
  ApplySetReference,
  BetweenOptions,
  BookmarkEvent,
  Consistency,
  DeleteCollectionOptions,
  DiscoveredResource,
  Downgrade,
  EvictOptions,
  FailedGroup,
  Health,
  HealthCheck,
  HealthEndpoint,
  HealthOptions,
  ItemsProgress,
  JsonPatchOperation,
  KeptObject,
  ManifestTarget,
  ModifyOrCreateOptions,
  ObjectChange,
  ObjectDiff,
  OpenApi,
  OpenApiDocument,
  PrunedObject,
  RawRequest,
  RawResponse,
  ServedApi,
  ServedGroup,
  ServerVersion,
  TableListOptions,
  TableOptions,
  TableRow,
  UnsafeDeleteOptions,
  UntilReadyOptions,
} from "@typekube/client";
export type { DiagnosticsEvents } from "@typekube/core/internal";
export type {
  AddInfo,
  Conditions,
  DeleteInfo,
  DescribedCondition,
  InformerIndex,
  InformerIndexes,
  MetadataInformerOptions,
  ReadonlyStore,
  RestartReason,
  SnapshotProgress,
  UntilCondition,
  WatcherState,
} from "@typekube/informer";
