import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseManifests } from "typekube";
import type { Role } from "typekube/api/rbac/v1";
import { expect, test } from "vitest";
import { runCommand } from "../src/command/run-command.js";
import { exampleFolder } from "./page-examples.js";

const folder = fileURLToPath(new URL("../../../examples/operator/", import.meta.url));

/** Runs `typekube` in the folder of the example. */
async function typekube(...args: string[]) {
  let out = "";
  let err = "";
  const code = await runCommand(args, {
    folder,
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

test("CW22: typekube rbac prints the roles of the operator example, as its manifest has them", async () => {
  const options = ["name", "lease-name", "lease-namespace", "webhook-service", "webhook-namespace"];
  const args = options.flatMap((option) => [`--${option}`, "shop-operator"]);
  const { code, out } = await typekube("rbac", "shops.ts", "shop-hooks.ts", ...args);
  expect(code).toBe(0);
  const manifest = await readFile(`${folder}manifests/rbac.yaml`, "utf8");
  expect(await parseManifests(out)).toEqual(await parseManifests(manifest));
});

test("ZD10: typekube rbac prints the rules for exported rights", async () => {
  await using example = await exampleFolder();
  await example.put({
    "rights.ts": `
      import { defineResource } from "typekube/crd";
      import * as z from "zod";
      const names = { group: "example.com", version: "v1", kind: "Widget" } as const;
      export const Widget = defineResource({ ...names, spec: z.object({}) });
      export const rights = [Widget.rights(["list", "get"])];
    `,
  });
  let out = "";
  const write = (text: string) => {
    out += text;
  };
  const io = { folder: example.path, write, writeError: write };
  expect(await runCommand(["rbac", "rights.ts", "--name", "reader"], io)).toBe(0);
  expect(await parseManifests(out)).toEqual([
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "reader" },
      rules: [{ apiGroups: ["example.com"], resources: ["widgets"], verbs: ["get", "list"] }],
    },
  ]);
});

test("typekube rbac needs no Secret for mounted certificates, and no name of a Lease", async () => {
  const { code, out } = await typekube(
    ...[
      "rbac",
      "shop-hooks.ts",
      "--no-events",
      "--webhook-service",
      "hooks",
      "--mounted-certificates",
    ],
    ...["--lease-namespace", "ops"],
  );
  expect(code).toBe(0);
  const rules = (await parseManifests(out)).flatMap((role) => (role as Role).rules ?? []);
  expect(rules.map(({ resources, resourceNames }) => [resources, resourceNames])).toEqual([
    [["mutatingwebhookconfigurations", "validatingwebhookconfigurations"], ["hooks"]],
    [["leases"], undefined],
  ]);
});

test.each([
  ["no module", [], 2, /Usage: typekube rbac MODULE/],
  ["an unknown option", ["shops.ts", "--nmae", "x"], 2, /--nmae/],
  ["a module that is missing", ["missing.ts"], 1, /cannot load missing.ts/],
  ["a module without controllers", ["dns.ts"], 1, /export no controllers/],
  ["webhooks without a place", ["shop-hooks.ts"], 1, /--webhook-service and --webhook-namespace/],
  ["a Lease without a namespace", ["shops.ts", "--lease-name", "x"], 1, /needs --lease-namespace/],
])("typekube rbac with %s says what is wrong", async (_, args, code, text) => {
  const result = await typekube("rbac", ...args);
  expect(result.code).toBe(code);
  expect(result.err).toMatch(text);
});
