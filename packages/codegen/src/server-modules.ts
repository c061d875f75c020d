import { bootstrapModule } from "./bootstrap-module.js";
import { defaultsModule } from "./defaults-module.js";
import type { Facts } from "./facts.js";
import { fieldRulesModule } from "./field-rules-module.js";
import type { FeatureGateFacts, GateStageFacts } from "./server-facts.js";
import { literal, propertyName } from "./source-text.js";

/** Returns the generated modules of the embedded API server, by their names. */
export function serverModules(facts: Facts): Map<string, string> {
  const { server } = facts;
  const objects = (...kinds: readonly string[]) =>
    server.bootstrapObjects.filter(({ kind }) => kinds.includes(kind));
  const access = objects("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding");
  const flowControl = objects("FlowSchema", "PriorityLevelConfiguration");
  return new Map([
    ["feature-gates", featureGatesModule(server.featureGates)],
    ["access", bootstrapModule("accessCollections", "default roles and bindings", access)],
    [
      "flow-control",
      bootstrapModule(
        "flowControlCollections",
        "default flow schemas and priority levels",
        flowControl,
      ),
    ],
    [
      "priority-classes",
      bootstrapModule(
        "priorityClassCollections",
        "system priority classes",
        objects("PriorityClass"),
      ),
    ],
    ["field-rules", fieldRulesModule(facts)],
    ["group-priorities", groupPrioritiesModule(facts)],
    ["storage-versions", storageVersionsModule(facts)],
    ["table-columns", tableColumnsModule(facts)],
    ["type-defaults", defaultsModule(facts)],
  ]);
}

function featureGatesModule(gates: readonly FeatureGateFacts[]): string {
  const entries = gates.map(
    ({ name, stages }) =>
      `  ${propertyName(name)}: ${JSON.stringify(stages.map(stageText).join(" "))},\n`,
  );
  return (
    `/**\n * The feature gates of kube-apiserver with their history: for each release the stage (\`a\`lpha, \`b\`eta, \`g\`a,\n` +
    ` * \`d\`eprecated), \`+\` on or \`-\` off by default, \`!\` locked to the default.\n */\n` +
    `export const featureGateFacts: Readonly<Record<string, string>> = {\n${entries.join("")}};\n`
  );
}

function stageText({ since, stage, on, locked }: GateStageFacts): string {
  return `${since}${stage[0]}${on ? "+" : "-"}${locked ? "!" : ""}`;
}

function groupPrioritiesModule({ server }: Facts): string {
  return (
    `/** Priorities of the built-in groups and versions in discovery. */\n` +
    `export const groupVersionPriorities: readonly {\n  readonly group: string;\n  readonly version: string;\n` +
    `  readonly groupPriorityMinimum: number;\n  readonly versionPriority: number;\n}[] = [\n` +
    `${server.groupPriorities.map((row) => `  ${literal(row)},\n`).join("")}];\n`
  );
}

function storageVersionsModule({ server }: Facts): string {
  const entries = server.storageVersions.map(
    ({ resource, storedIn }) => `  ${propertyName(resource)}: ${JSON.stringify(storedIn)},\n`,
  );
  return (
    `/** The group-version in which each resource is stored. */\n` +
    `export const storageVersions: Readonly<Record<string, string>> = {\n${entries.join("")}};\n`
  );
}

function tableColumnsModule({ server }: Facts): string {
  const entries = server.tableColumns.map(
    ({ resource, columns }) =>
      `  ${propertyName(resource)}: [\n${columns.map((column) => `    ${literal(column)},\n`).join("")}  ],\n`,
  );
  return (
    `/** The table columns of each resource; \`*\` has those of resources without their own. */\n` +
    `export const tableColumns = {\n${entries.join("")}} as const;\n`
  );
}
