import { applyManifests } from "./cases/apply-manifests.js";
import { createAndGet } from "./cases/create-and-get.js";
import { deleteAndFinalizers } from "./cases/delete-and-finalizers.js";
import { deleteCollection } from "./cases/delete-collection.js";
import { discovery } from "./cases/discovery.js";
import { dryRuns } from "./cases/dry-run.js";
import { dynamicResources } from "./cases/dynamic-resources.js";
import { encodings } from "./cases/encodings.js";
import { encodingsMetadata } from "./cases/encodings-metadata.js";
import { encodingsNegotiation } from "./cases/encodings-negotiation.js";
import { encodingRoundTrips } from "./cases/encodings-round-trips.js";
import { encodingsTables } from "./cases/encodings-tables.js";
import { errors } from "./cases/errors.js";
import { fieldOwnership } from "./cases/field-ownership.js";
import { fieldValidation } from "./cases/field-validation.js";
import { flowControl } from "./cases/flow-control.js";
import { generateName } from "./cases/generate-name.js";
import { namespaces } from "./cases/namespaces.js";
import { pagination } from "./cases/pagination.js";
import { patches } from "./cases/patches.js";
import { resourceVersions } from "./cases/resource-versions.js";
import { selectors } from "./cases/selectors.js";
import { serverSideApply } from "./cases/server-side-apply.js";
import { statusSubresource } from "./cases/status-subresource.js";
import { strategicPatches } from "./cases/strategic-patches.js";
import { streamingList } from "./cases/streaming-list.js";
import { updateConflict } from "./cases/update-conflict.js";
import { virtualKinds } from "./cases/virtual-kinds.js";
import { watch } from "./cases/watch.js";
import type { ConformanceCase } from "./conformance-case.js";

/** Every case, topic by topic. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...createAndGet,
  ...generateName,
  ...updateConflict,
  ...patches,
  ...strategicPatches,
  ...serverSideApply,
  ...fieldOwnership,
  ...fieldValidation,
  ...dryRuns,
  ...deleteAndFinalizers,
  ...deleteCollection,
  ...selectors,
  ...pagination,
  ...resourceVersions,
  ...watch,
  ...streamingList,
  ...statusSubresource,
  ...virtualKinds,
  ...namespaces,
  ...encodings,
  ...encodingRoundTrips,
  ...encodingsNegotiation,
  ...encodingsMetadata,
  ...encodingsTables,
  ...errors,
  ...flowControl,
  ...discovery,
  ...dynamicResources,
  ...applyManifests,
];
