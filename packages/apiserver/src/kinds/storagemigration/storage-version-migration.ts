import type { KindStrategy } from "../../resources/kind-strategy.js";
import { storageVersionMigrationColumns } from "../admissionregistration/admission-columns.js";

/** Strategy of the kind StorageVersionMigration. */
export const storageVersionMigrationStrategy: KindStrategy = {
  columns: storageVersionMigrationColumns,
  idle: { why: "has nothing to migrate" },
};
