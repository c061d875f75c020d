// Print a collection as `kubectl get` does, with the columns that the server returns.
import { startApiServer } from "@typekube/apiserver";
import { isTable } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";

await using api = await startApiServer({ seed: 1, clock: "virtual" });
await using client = await api.client();
const configMaps = client.resource(ConfigMap, "default");
await configMaps.create({ metadata: { name: "settings" }, data: { a: "1", b: "2" } });
await configMaps.create({ metadata: { name: "empty" } });
await api.clock.advance(90_000);

const table = await configMaps.table();
if (isTable(table)) {
  const columns = table.columnDefinitions.filter(({ priority }) => priority === 0);
  const rows = [
    columns.map(({ name }) => name.toUpperCase()),
    ...table.rows.map(({ cells }) => columns.map((_, i) => String(cells[i]))),
  ];
  for (const row of rows) {
    console.log(
      row
        .map((cell) => cell.padEnd(10))
        .join("")
        .trimEnd(),
    );
  }
}

// Prints:
// NAME      DATA      AGE
// empty     0         90s
// settings  2         90s
