import { connect } from "typekube";
import { describe, expect, test } from "vitest";
import { featureGateFacts } from "../src/generated/feature-gates.js";
import { startApiServer } from "../src/index.js";
import { readFeatureGates } from "../src/resources/feature-gates.js";

/** Returns the stage and default of a gate in a release; `none` when the gate does not exist. */
function stageIn(name: string, release: string): string {
  const minor = Number(release.slice(2));
  const words = { a: "alpha", b: "beta", d: "deprecated", g: "stable" } as const;
  const last = featureGateFacts[name]
    ?.split(" ")
    .map((text) => /^1\.(\d+)([abdg])([-+])/.exec(text) ?? [])
    .filter(([, since]) => Number(since) <= minor)
    .at(-1);
  const [, , stage, sign] = last ?? [];
  return stage === undefined
    ? "none"
    : `${words[stage as keyof typeof words]} ${sign === "+" ? "on" : "off"}`;
}

describe("stages of features, as documented", () => {
  test.each([
    ["GAT1", "WatchList", "1.26", "none"],
    ["GAT1", "WatchList", "1.27", "alpha off"],
    ["GAT1", "WatchList", "1.32", "beta on"],
    ["GAT1", "WatchList", "1.33", "beta off"],
    ["GAT1", "WatchList", "1.34", "beta on"],
    ["GAT1", "WatchList", "1.37", "beta on"],
    ["GAT2", "APIResponseCompression", "1.15", "alpha off"],
    ["GAT2", "APIResponseCompression", "1.16", "beta on"],
    ["GAT4", "CBORServingAndStorage", "1.32", "alpha off"],
    ["GAT4", "CBORServingAndStorage", "1.37", "alpha off"],
    ["GAT5", "AllowUnsafeMalformedObjectDeletion", "1.32", "alpha off"],
    ["GAT5", "AllowUnsafeMalformedObjectDeletion", "1.37", "beta on"],
    ["GAT9", "DeclarativeValidation", "1.33", "beta on"],
    ["GAT9", "DeclarativeValidation", "1.37", "stable on"],
    ["GAT9", "DeclarativeValidationTakeover", "1.33", "beta off"],
    ["GAT9", "DeclarativeValidationTakeover", "1.37", "deprecated off"],
    ["GAT9", "DeclarativeValidationBeta", "1.37", "beta on"],
    ["GAT10", "ListFromCacheSnapshot", "1.33", "alpha off"],
    ["GAT10", "ListFromCacheSnapshot", "1.35", "beta on"],
    ["GAT15", "WatchListCompression", "1.37", "beta on"],
    ["GAT15", "ComponentStatusz", "1.37", "beta on"],
    ["GAT15", "ComponentFlagz", "1.37", "beta on"],
    ["GAT16", "ShardedListAndWatch", "1.37", "alpha off"],
    ["GAT16", "ClientsAllowCBOR", "1.37", "alpha off"],
    ["GAT16", "ClientsPreferCBOR", "1.37", "alpha off"],
  ])("%s: the feature gate %s in release %s is %s", (_, name, release, stage) => {
    expect(stageIn(name, release)).toBe(stage);
  });

  test.each([
    ["GAT3", "APIListChunking"],
    ["GAT6", "ServerSideFieldValidation"],
    ["GAT7", "DryRun"],
    ["GAT8", "ServerSideApply"],
    ["GAT11", "ConsistentListFromCache"],
    ["GAT12", "AuthorizeWithSelectors"],
  ])("%s: %s is removed or locked: the feature is always on", (_, name) => {
    expect(() => readFeatureGates("1.37", { [name]: false })).toThrow(
      /unrecognized feature gate|is locked to true/,
    );
  });
});

test("MIG41: a beta version is disabled early; its error names the replacement, other versions work", async () => {
  const beta = { apiVersion: "policy/v1beta1", kind: "PodDisruptionBudget" } as const;
  const stable = { apiVersion: "policy/v1", kind: "PodDisruptionBudget" } as const;
  await using api = await startApiServer({ runtimeConfig: "policy/v1beta1=false" });
  await using client = await connect({ transport: api });
  await expect(client.resource(beta, "default").list()).rejects.toMatchObject({
    code: "NotFound",
    hint: expect.stringContaining(
      "Kubernetes 1.25 removed it; use PodDisruptionBudget in policy/v1",
    ),
  });
  expect((await client.resource(stable, "default").list()).items).toEqual([]);
  await using without = await startApiServer({ runtimeConfig: { "autoscaling/v1": false } });
  await using other = await connect({ transport: without });
  const off = { apiVersion: "autoscaling/v1", kind: "HorizontalPodAutoscaler" };
  await expect(other.discovery.find(off)).rejects.toMatchObject({
    code: "NotFound",
    hint: expect.stringContaining("it serves HorizontalPodAutoscaler in autoscaling/v2"),
  });
});
