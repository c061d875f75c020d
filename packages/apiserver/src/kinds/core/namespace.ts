import { emptyNamespace } from "../../phases/write/namespaces.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { namespaceColumns } from "../fields/cluster-columns.js";
import { validateNamespaceStatus } from "../fields/statuses.js";
import {
  asNewNamespace,
  assertDeletable,
  beginTerminating,
  specFinalizers,
  withOldSpec,
  withOwnName,
} from "./namespace-hooks.js";

/** Strategy of the kind Namespace. */
export const namespaceStrategy: KindStrategy = {
  rules: { names: "label", conflictsNameResource: true, specOwnedByFinalize: true },
  defaults: withOwnName,
  prepareCreate: asNewNamespace,
  prepareUpdate: withOldSpec,
  validateStatus: (object, _old, errors) => validateNamespaceStatus(object, errors),
  assertDeletable,
  beginDelete: beginTerminating,
  afterDeletionBegan: (name, server) => emptyNamespace(server, name),
  finalizers: specFinalizers,
  fieldSelectors: { paths: ["status.phase"], namespaced: false },
  columns: namespaceColumns,
};
