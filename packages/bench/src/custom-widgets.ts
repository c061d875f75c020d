import { type ApiServer, startApiServer } from "@typekube/apiserver";
import { type Client, type DynamicResourceClient, mergePatch } from "typekube";
import { CustomResourceDefinition } from "typekube/api/apiextensions/v1";
import { openApiSchema } from "./cel-rules.js";

/** A server, and clients of it. */
export interface Widgets {
  readonly server: ApiServer;
  readonly client: Client;
  readonly widgets: DynamicResourceClient;
  /** Replaces the rules of the kind Widget. */
  setRules(rules: readonly string[]): Promise<void>;
}

/** Starts an embedded server with a custom kind, Widget, that has rules. */
export async function startWidgets(rules: readonly string[]): Promise<Widgets> {
  // Every request adds to the journal, which would hide the memory of rules.
  const server = await startApiServer({ journalLimit: 100 });
  const client = await server.client();
  const definitions = client.resource(CustomResourceDefinition);
  await definitions.create(definitionWith(rules));
  return {
    server,
    client,
    widgets: client.resource({ apiVersion: "example.com/v1", kind: "Widget" }, "default"),
    async setRules(changed) {
      const { spec } = definitionWith(changed);
      await definitions.patch("widgets.example.com", mergePatch({ spec }));
    },
  };
}

function definitionWith(rules: readonly string[]): CustomResourceDefinition {
  return {
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: openApiSchema(rules) as object },
        },
      ],
    },
  };
}
