import { accessDenied } from "./cases/access-denied.js";
import { admissionWebhooks } from "./cases/admission-webhooks.js";
import { applyManifests } from "./cases/apply-manifests.js";
import { comparedOnRequest } from "./cases/compared-on-request.js";
import { createAndGet } from "./cases/create-and-get.js";
import { cronSchedules } from "./cases/cron-schedules.js";
import { customResourceChanges } from "./cases/custom-resource-changes.js";
import { customResourceConversion } from "./cases/custom-resource-conversion.js";
import { customResourceDefinitionSchemas } from "./cases/custom-resource-definition-schemas.js";
import { customResourceDefinitions } from "./cases/custom-resource-definitions.js";
import { customResourceLifecycle } from "./cases/custom-resource-lifecycle.js";
import { customResourceParts } from "./cases/custom-resource-parts.js";
import { customResourcePatterns } from "./cases/custom-resource-patterns.js";
import { customResourceRules } from "./cases/custom-resource-rules.js";
import { customResourceSchemas } from "./cases/custom-resource-schemas.js";
import { customResourceValues } from "./cases/custom-resource-values.js";
import { customResourceVersions } from "./cases/custom-resource-versions.js";
import { customResourceViews } from "./cases/custom-resource-views.js";
import { customResourcesFromZod } from "./cases/custom-resources-from-zod.js";
import { declaredRules } from "./cases/declared-rules.js";
import { deepValues } from "./cases/deep-values.js";
import { defaults } from "./cases/defaults.js";
import { definedResources } from "./cases/defined-resources.js";
import { deleteAndFinalizers } from "./cases/delete-and-finalizers.js";
import { deleteCollection } from "./cases/delete-collection.js";
import { deleteManifests } from "./cases/delete-manifests.js";
import { deleteOptions } from "./cases/delete-options.js";
import { deprecatedTypes } from "./cases/deprecated-types.js";
import { diffs } from "./cases/diff.js";
import { discovery } from "./cases/discovery.js";
import { dryRuns } from "./cases/dry-run.js";
import { dynamicResources } from "./cases/dynamic-resources.js";
import { embeddedMetadata } from "./cases/embedded-metadata.js";
import { encodings } from "./cases/encodings.js";
import { encodingsMetadata } from "./cases/encodings-metadata.js";
import { encodingsNegotiation } from "./cases/encodings-negotiation.js";
import { encodingRoundTrips } from "./cases/encodings-round-trips.js";
import { encodingsTables } from "./cases/encodings-tables.js";
import { errors } from "./cases/errors.js";
import { events } from "./cases/events.js";
import { evictionsAndBindings } from "./cases/evictions-and-bindings.js";
import { extractApplied } from "./cases/extract.js";
import { fieldOwnership } from "./cases/field-ownership.js";
import { fieldSelectors } from "./cases/field-selectors.js";
import { fieldValidation } from "./cases/field-validation.js";
import { fieldValidationTexts } from "./cases/field-validation-texts.js";
import { findingKinds } from "./cases/finding-kinds.js";
import { flowControl } from "./cases/flow-control.js";
import { foundByFuzz } from "./cases/found-by-fuzz.js";
import { gatedFieldCases } from "./cases/gated-fields.js";
import { generateName } from "./cases/generate-name.js";
import { generatedTypes } from "./cases/generated-types.js";
import { health } from "./cases/health.js";
import { hostAccessCases } from "./cases/host-access.js";
import { kindRules } from "./cases/kind-rules.js";
import { kindRulesFound } from "./cases/kind-rules-found.js";
import { kindsCompared } from "./cases/kinds-compared.js";
import { kubectlTables } from "./cases/kubectl-tables.js";
import { lastApplied } from "./cases/last-applied.js";
import { limitRanges } from "./cases/limit-ranges.js";
import { lineEnds } from "./cases/line-ends.js";
import { listTypesChanged } from "./cases/list-types-changed.js";
import { managedFieldsGiven } from "./cases/managed-fields-given.js";
import { modify } from "./cases/modify.js";
import { mutatedMetadata } from "./cases/mutated-metadata.js";
import { mutatingPolicies } from "./cases/mutating-policies.js";
import { namespaces } from "./cases/namespaces.js";
import { nullValues } from "./cases/null-values.js";
import { otherClients } from "./cases/other-clients.js";
import { pagination } from "./cases/pagination.js";
import { patches } from "./cases/patches.js";
import { patchesBetween } from "./cases/patches-between.js";
import { podSecurityCases } from "./cases/pod-security.js";
import { podsChanged } from "./cases/pods-changed.js";
import { priorityClasses } from "./cases/priority-classes.js";
import { projectedReads } from "./cases/projected-reads.js";
import { proxies } from "./cases/proxies.js";
import { prunes } from "./cases/prune.js";
import { publicFiles } from "./cases/public-files.js";
import { rawRequests } from "./cases/raw-requests.js";
import { reportedStatuses } from "./cases/reported-statuses.js";
import { resourceQuotas } from "./cases/resource-quotas.js";
import { resourceVersions } from "./cases/resource-versions.js";
import { reviews } from "./cases/reviews.js";
import { rights } from "./cases/rights.js";
import { classCases } from "./cases/runtime-classes.js";
import { selectors } from "./cases/selectors.js";
import { serverSideApply } from "./cases/server-side-apply.js";
import { servicesChanged } from "./cases/services-changed.js";
import { shards } from "./cases/shards.js";
import { statusSubresource } from "./cases/status-subresource.js";
import { storedValues } from "./cases/stored-values.js";
import { strategicPatches } from "./cases/strategic-patches.js";
import { streamingList } from "./cases/streaming-list.js";
import { typedApply } from "./cases/typed-apply.js";
import { updateConflict } from "./cases/update-conflict.js";
import { validatingPolicies } from "./cases/validating-policies.js";
import { versionsAndBack } from "./cases/versions-and-back.js";
import { virtualFields } from "./cases/virtual-fields.js";
import { virtualKinds } from "./cases/virtual-kinds.js";
import { waits } from "./cases/wait-for.js";
import { walks } from "./cases/walks.js";
import { watch } from "./cases/watch.js";
import { webhookMatches } from "./cases/webhook-matches.js";
import { webhookOperations } from "./cases/webhook-operations.js";
import { webhookReviews } from "./cases/webhook-reviews.js";
import { webhookVerdicts } from "./cases/webhook-verdicts.js";
import { writesCompared } from "./cases/writes-compared.js";
import type { ConformanceCase } from "./conformance-case.js";

/** All cases, grouped by topic. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...createAndGet,
  ...generateName,
  ...generatedTypes,
  ...updateConflict,
  ...modify,
  ...otherClients,
  ...patches,
  ...deepValues,
  ...managedFieldsGiven,
  ...patchesBetween,
  ...strategicPatches,
  ...serverSideApply,
  ...typedApply,
  ...fieldOwnership,
  ...extractApplied,
  ...listTypesChanged,
  ...fieldValidation,
  ...fieldValidationTexts,
  ...nullValues,
  ...dryRuns,
  ...admissionWebhooks,
  ...mutatingPolicies,
  ...mutatedMetadata,
  ...validatingPolicies,
  ...deleteAndFinalizers,
  ...deleteCollection,
  ...deleteOptions,
  ...selectors,
  ...fieldSelectors,
  ...shards,
  ...pagination,
  ...projectedReads,
  ...walks,
  ...resourceVersions,
  ...watch,
  ...streamingList,
  ...statusSubresource,
  ...reportedStatuses,
  ...podSecurityCases,
  ...hostAccessCases,
  ...classCases,
  ...gatedFieldCases,
  ...podsChanged,
  ...priorityClasses,
  ...servicesChanged,
  ...evictionsAndBindings,
  ...events,
  ...virtualFields,
  ...virtualKinds,
  ...reviews,
  ...waits,
  ...namespaces,
  ...encodings,
  ...encodingRoundTrips,
  ...encodingsNegotiation,
  ...encodingsMetadata,
  ...encodingsTables,
  ...foundByFuzz,
  ...kubectlTables,
  ...declaredRules,
  ...defaults,
  ...storedValues,
  ...publicFiles,
  ...cronSchedules,
  ...kindRules,
  ...kindRulesFound,
  ...kindsCompared,
  ...writesCompared,
  ...comparedOnRequest,
  ...lastApplied,
  ...limitRanges,
  ...lineEnds,
  ...resourceQuotas,
  ...errors,
  ...flowControl,
  ...discovery,
  ...findingKinds,
  ...health,
  ...rawRequests,
  ...webhookVerdicts,
  ...webhookReviews,
  ...webhookOperations,
  ...webhookMatches,
  ...dynamicResources,
  ...customResourcesFromZod,
  ...definedResources,
  ...customResourceDefinitions,
  ...customResourceDefinitionSchemas,
  ...customResourceLifecycle,
  ...customResourceChanges,
  ...customResourceValues,
  ...embeddedMetadata,
  ...customResourcePatterns,
  ...customResourceRules,
  ...customResourceSchemas,
  ...customResourceParts,
  ...customResourceViews,
  ...customResourceVersions,
  ...customResourceConversion,
  ...versionsAndBack,
  ...applyManifests,
  ...deleteManifests,
  ...deprecatedTypes,
  ...diffs,
  ...prunes,
  ...proxies,
  ...rights,
  ...accessDenied,
];
