import type { ResourceDescriptor } from "@typekube/api";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { contextOf } from "@typekube/client/internal";
import { isNotFound } from "@typekube/core";
import type { Client, DynamicResourceClient } from "typekube";

/** A custom resource that both servers have, with free-form spec. */
export const widgets: ResourceDescriptor = {
  group: "conformance.typekube.dev",
  version: "v1",
  apiVersion: "conformance.typekube.dev/v1",
  kind: "Widget",
  listKind: "WidgetList",
  plural: "widgets",
  singular: "widget",
  shortNames: [],
  categories: [],
  scope: "Namespaced",
  verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  subresources: {
    status: {
      apiVersion: "conformance.typekube.dev/v1",
      kind: "Widget",
      verbs: ["get", "patch", "update"],
    },
  },
  protobuf: false,
};

/** Returns the widgets client of a namespace, through discovery. */
export function widgetsIn(client: Client, namespace: string): DynamicResourceClient {
  return client.resource({ apiVersion: widgets.apiVersion, kind: widgets.kind }, namespace);
}

/** Returns the definition of a custom resource with free-form fields and a status. */
export function definitionOf(
  descriptor: Pick<ResourceDescriptor, "group" | "kind" | "plural" | "singular" | "version">,
): CustomResourceDefinition {
  const { group, kind, plural, singular, version } = descriptor;
  const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular, listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", properties: { spec: free, status: free } } },
        },
      ],
    },
  };
}

/** Creates the definition and waits until the server serves the kind and the client discovers it. */
export async function install(
  client: Client,
  definition: CustomResourceDefinition,
  signal?: AbortSignal,
): Promise<void> {
  const definitions = client.resource(CustomResourceDefinition);
  const created = await definitions.create(definition);
  const { name, resourceVersion } = created.metadata;
  const fieldSelector = { "metadata.name": name };
  for await (const event of definitions.watch({ fieldSelector, resourceVersion, signal })) {
    const conditions = event.type === "BOOKMARK" ? [] : (event.object.status?.conditions ?? []);
    if (conditions.some(({ type, status }) => type === "Established" && status === "True")) {
      await untilDiscovered(client, definition, signal);
      return;
    }
  }
  throw new Error(`the watch ended before ${name} was established`);
}

/** Waits for discovery, which follows the condition a moment later. */
async function untilDiscovered(
  client: Client,
  { spec }: CustomResourceDefinition,
  signal?: AbortSignal,
): Promise<void> {
  const { discovery } = contextOf(client);
  const apiVersion = `${spec.group}/${spec.versions[0]?.name}`;
  for (;;) {
    signal?.throwIfAborted();
    discovery.invalidate();
    try {
      await discovery.find({ apiVersion, kind: spec.names.kind });
      return;
    } catch (error) {
      if (!isNotFound(error)) {
        throw error;
      }
    }
  }
}

/** Installs {@link widgets} on a server that supports definitions. */
export async function installWidgets(client: Client): Promise<void> {
  await install(client, definitionOf(widgets), AbortSignal.timeout(120_000));
}
