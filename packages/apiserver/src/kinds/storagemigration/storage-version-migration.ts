import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Strategy of the kind StorageVersionMigration. */
export const storageVersionMigrationStrategy: KindStrategy = {
  columns: columnsFor("storageversionmigrations.storagemigration.k8s.io", {
    Resource: column("Resource that is migrated.", (one) => {
      const { group, resource } = mapOf(specOf(one)["resource"]);
      return (group ?? "") === "" ? resource : `${String(resource)}.${String(group)}`;
    }),
    Status: column("State of the migration.", ({ status }) =>
      String(
        objectsOf(mapOf(status)["conditions"]).find((one) => one["status"] === "True")?.["type"] ??
          "Pending",
      ),
    ),
  }),
  idle: { why: "has nothing to migrate" },
};
