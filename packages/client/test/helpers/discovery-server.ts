import type { Clock } from "@typekube/core/internal";
import {
  ScriptedServer,
  type Sent,
  statusResponse,
  type TestResponse,
} from "@typekube/test-support/scripted-server";

/** A kind that the server lists in discovery. */
export interface ServedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly cluster?: boolean;
}

const apiVersionOf = ({ group, version }: ServedKind) =>
  group === "" ? version : `${group}/${version}`;

function aggregated(kinds: readonly ServedKind[], core: boolean): TestResponse {
  const items = kinds
    .filter(({ group }) => (group === "") === core)
    .map(({ group, version, kind, plural, cluster }) => ({
      metadata: { name: group },
      versions: [
        {
          version,
          freshness: "Current",
          resources: [
            {
              resource: plural,
              responseKind: { group: "", version: "", kind },
              scope: cluster ? "Cluster" : "Namespaced",
              verbs: ["get", "list", "patch"],
              subresources: [
                {
                  subresource: "status",
                  responseKind: { group: "", version: "", kind },
                  verbs: ["get"],
                },
              ],
            },
          ],
        },
      ],
    }));
  return { body: { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", items } };
}

function resourceList(kinds: readonly ServedKind[], url: string): TestResponse {
  const groupVersion = url.replace(/^\/apis?\//, "");
  const resources = kinds
    .filter((kind) => apiVersionOf(kind) === groupVersion)
    .flatMap(({ kind, plural, cluster }) => [
      { name: plural, kind, namespaced: !cluster, verbs: ["get", "list", "patch"] },
      { name: `${plural}/status`, kind, namespaced: !cluster, verbs: ["get"] },
    ]);
  return resources.length === 0
    ? statusResponse(404, "NotFound", { details: {} })
    : { body: { kind: "APIResourceList", resources } };
}

/**
 * A server that lists its kinds in discovery. It responds to other requests with the object that was sent, or an empty
 * one.
 */
export class DiscoveryServer extends ScriptedServer {
  /** The served kinds; tests may change them. */
  readonly kinds: ServedKind[];

  constructor(
    kinds: readonly ServedKind[],
    form: "aggregated" | "legacy" = "aggregated",
    response?: (sent: Sent) => TestResponse,
  ) {
    const served = [...kinds];
    super((sent) => {
      if (/^\/apis?$/.test(sent.url)) {
        return form === "aggregated"
          ? aggregated(served, sent.url === "/api")
          : { body: { kind: "APIVersions" } };
      }
      if (/^\/(api|apis\/[^/]+)\/[^/]+$/.test(sent.url)) {
        return resourceList(served, sent.url);
      }
      return response?.(sent) ?? { body: sent.text || "{}" };
    });
    this.kinds = served;
  }
}

/** Returns a clock that the test advances. */
export function handClock(): Clock & {
  now(): number;
  advance(ms: number): void;
  /** Changes the time of day, as an administrator would. */
  jump(ms: number): void;
} {
  let time = 1_000_000;
  let jumped = 0;
  return {
    now: () => time + jumped,
    monotonic: () => time,
    schedule: () => () => {},
    advance(ms) {
      time += ms;
    },
    jump(ms) {
      jumped += ms;
    },
  };
}
