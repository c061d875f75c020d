import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("loads the YAML parser with the first text, not with the package", () => {
  const folder = fileURLToPath(new URL("../../../src/", import.meta.url));
  const importing = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .filter((file) =>
      /^import (?!type ).*from "js-yaml"/m.test(readFileSync(folder + file, "utf8")),
    );
  expect(importing).toEqual([]);
});
