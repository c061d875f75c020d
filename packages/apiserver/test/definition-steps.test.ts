import { expect, it } from "vitest";
import { conditionOf } from "../src/custom-resources/definition-status.js";
import { createFollowedDefinitions } from "../src/custom-resources/followed-definitions.js";
import { acceptNames } from "../src/custom-resources/settle-definition.js";
import type { ApiObject } from "../src/objects/api-object.js";
import { definitionStorage } from "../src/resources/definition.js";
import { createContext } from "../src/server/create-context.js";

function definition(plural: string, kind: string): ApiObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com` },
    spec: { group: "example.com", names: { plural, kind, singular: kind.toLowerCase() } },
  };
}

it("the second definition of a kind in a group gets no names; a repeated decision writes nothing", () => {
  const { context: server } = createContext({ clock: "virtual" }, []);
  const definitions = createFollowedDefinitions(server, {}, () => {});
  const stored = (plural: string): ApiObject => {
    const found = definitions.stored.get(`${plural}.example.com`);
    if (found === undefined) {
      throw new Error(`${plural} is not stored`);
    }
    return found;
  };
  for (const [plural, accepted] of [
    ["widgets", "True"],
    ["gadgets", "False"],
  ] as const) {
    server.store.put(definitionStorage, `${plural}.example.com`, definition(plural, "Widget"));
    expect(acceptNames(definitions, stored(plural))).toBe(true);
    expect(conditionOf(stored(plural), "NamesAccepted")?.["status"]).toBe(accepted);
    expect(acceptNames(definitions, stored(plural))).toBe(false);
  }
});
