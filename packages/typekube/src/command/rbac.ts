import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { Right } from "@typekube/client";
import type { WebhookHandler } from "@typekube/controller";
import { isController } from "@typekube/controller/internal";
import { KubeError, toYaml } from "@typekube/core";
import type { CommandIo } from "./command-io.js";

const usage = `Usage: typekube rbac MODULE... [options]

Prints the roles that the controllers and webhooks exported by modules need, as YAML, with exported rights, such as
Widget.rights(["get", "list"]) of a custom resource.

Options:
  --name NAME                     name of the roles; default: the names of the controllers
  --lease-namespace NAMESPACE     namespace of the Lease, for a manager with leader election
  --lease-name NAME               name of the Lease; default: rights on all Leases of the namespace
  --webhook-service NAME          name of the Service of the webhooks
  --webhook-namespace NAMESPACE   namespace of that Service, and of the Secret with the certificate
  --mounted-certificates          for webhooks whose certificate is mounted: they need no Secret
  --no-events                     for a manager that records no events
`;

/**
 * Prints the roles of the controllers and webhooks that modules export.
 *
 * @returns the exit code: 2 for an invalid command line, 1 for a module that cannot be loaded or has neither.
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
  if (values.help === true) {
    io.write(usage);
    return 0;
  }
  if (positionals.length === 0) {
    io.writeError(usage);
    return 2;
  }
  const exported: unknown[] = [];
  for (const file of positionals) {
    try {
      exported.push(...valuesIn(await import(pathToFileURL(resolve(io.folder, file)).href)));
    } catch (error) {
      io.writeError(`typekube rbac: cannot load ${file}: ${(error as Error).message}\n`);
      return 1;
    }
  }
  try {
    io.write(await rolesOf(exported, values));
    return 0;
  } catch (error) {
    const { rawMessage, hint } = KubeError.from(error);
    io.writeError(`typekube rbac: ${rawMessage}${hint === undefined ? "" : `: ${hint}`}\n`);
    return 1;
  }
}

type RbacArguments = ReturnType<typeof readArguments>["values"];

/**
 * Returns the roles as YAML.
 *
 * @throws {KubeError} `InvalidArgument` when nothing needs roles, or an argument is missing.
 */
async function rolesOf(exported: readonly unknown[], values: RbacArguments): Promise<string> {
  const { rbacOf } = await import("@typekube/controller");
  const controllers = [...new Set(exported.filter(isController))];
  const handlers = [...new Set(exported.filter(isHandler))];
  const rights = exported.filter(isRight);
  if (controllers.length === 0 && handlers.length === 0 && rights.length === 0) {
    throw new KubeError(
      "InvalidArgument",
      "the modules export no controllers of defineController()",
    );
  }
  const { clusterRole, roles } = rbacOf([...controllers, ...rights], {
    name: values.name,
    events: values["no-events"] === true ? false : undefined,
    leaderElection: electionOf(values),
    webhooks: webhooksOf(handlers, values),
  });
  const manifests = [...(clusterRole === undefined ? [] : [clusterRole]), ...roles];
  return manifests.map((manifest) => toYaml(manifest)).join("---\n");
}

function electionOf({ "lease-namespace": namespace, "lease-name": name }: RbacArguments) {
  if (namespace === undefined && name !== undefined) {
    throw new KubeError("InvalidArgument", "--lease-name needs --lease-namespace");
  }
  return namespace === undefined ? undefined : { namespace, name };
}

function webhooksOf(handlers: readonly WebhookHandler[], values: RbacArguments) {
  const { "webhook-service": service, "webhook-namespace": namespace } = values;
  const isMounted = values["mounted-certificates"] === true;
  if (handlers.length === 0) {
    return undefined;
  }
  if (service === undefined || (namespace === undefined && !isMounted)) {
    throw new KubeError("InvalidArgument", "the modules export webhooks", {
      hint: "say where they are with --webhook-service and --webhook-namespace",
    });
  }
  const certificates = isMounted ? { directory: "mounted" } : undefined;
  return { handlers, service, namespace, certificates };
}

function readArguments(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h" },
      "lease-name": { type: "string" },
      "lease-namespace": { type: "string" },
      "mounted-certificates": { type: "boolean" },
      name: { type: "string" },
      "no-events": { type: "boolean" },
      "webhook-namespace": { type: "string" },
      "webhook-service": { type: "string" },
    },
  });
}

/** Returns the exports of a module, and the elements of exported arrays. */
function valuesIn(module: object): unknown[] {
  return Object.values(module).flatMap((value: unknown) =>
    Array.isArray(value) ? value : [value],
  );
}

function isRight(value: unknown): value is Right {
  const { group, resource, verbs } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof group === "string" && typeof resource === "string" && Array.isArray(verbs);
}

function isHandler(value: unknown): value is WebhookHandler {
  const { type, kind } = (value ?? {}) as { readonly type?: unknown; readonly kind?: unknown };
  return (type === "admission" || type === "conversion") && typeof kind === "object";
}
