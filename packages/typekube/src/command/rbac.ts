import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { Controller } from "@typekube/controller";
import { toYaml } from "@typekube/core";
import type { CommandIo } from "./command-io.js";

const usage = `Usage: typekube rbac MODULE [options]

Prints the roles that the controllers exported by a module need, as YAML.

Options:
  --name NAME                   name of the roles; default: the names of the controllers
  --lease-namespace NAMESPACE   namespace of the Lease, for a manager with leader election
  --no-events                   for a manager that records no events
`;

/**
 * Prints the roles of the controllers that a module exports.
 *
 * @returns the exit code: 2 for an invalid command line, 1 for a module that cannot be loaded or has no controllers.
 */
export async function printRbac(args: readonly string[], io: CommandIo): Promise<number> {
  let parsed: ReturnType<typeof readArguments>;
  try {
    parsed = readArguments(args);
  } catch (error) {
    io.writeError(`typekube rbac: ${(error as Error).message}\n\n${usage}`);
    return 2;
  }
  const { values, positionals } = parsed;
  const [file, ...others] = positionals;
  if (values.help === true) {
    io.write(usage);
    return 0;
  }
  if (file === undefined || others.length > 0) {
    io.writeError(usage);
    return 2;
  }
  const { rbacOf } = await import("@typekube/controller");
  let controllers: Controller[];
  try {
    controllers = controllersIn(await import(pathToFileURL(resolve(io.folder, file)).href));
  } catch (error) {
    io.writeError(`typekube rbac: cannot load ${file}: ${(error as Error).message}\n`);
    return 1;
  }
  if (controllers.length === 0) {
    io.writeError(`typekube rbac: ${file} exports no controllers of defineController()\n`);
    return 1;
  }
  const namespace = values["lease-namespace"];
  const { clusterRole, roles } = rbacOf(controllers, {
    name: values.name,
    events: values["no-events"] !== true,
    leaderElection: namespace === undefined ? undefined : { namespace },
  });
  const manifests = [...(clusterRole === undefined ? [] : [clusterRole]), ...roles];
  io.write(manifests.map((manifest) => toYaml(manifest)).join("---\n"));
  return 0;
}

function readArguments(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h" },
      "lease-namespace": { type: "string" },
      name: { type: "string" },
      "no-events": { type: "boolean" },
    },
  });
}

/** Returns the controllers among the exports of a module, also those in exported arrays. */
function controllersIn(module: object): Controller[] {
  const found = Object.values(module).flatMap((value: unknown) =>
    (Array.isArray(value) ? value : [value]).filter(isController),
  );
  return [...new Set(found)];
}

function isController(value: unknown): value is Controller {
  return typeof value === "object" && value !== null && "settings" in value && "owns" in value;
}
