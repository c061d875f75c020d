import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { startApiServer } from "@typekube/apiserver";
import { checkConversions, conversion, createWebhook, startManager } from "@typekube/controller";
import { defineResource, install } from "typekube/crd";
import { describe, expect, it } from "vitest";
import * as z from "zod";

const names = { group: "example.com", version: "v1", kind: "Site" } as const;
const old = {
  name: "v1beta1",
  spec: z.object({ address: z.string().regex(/^[a-z]{1,5}:[1-9][0-9]{0,3}$/) }),
} as const;
const spec = z.object({
  host: z.string().regex(/^[a-z]{1,5}$/),
  port: z.int().min(1).max(9999).default(80),
});

const Site = defineResource({
  ...names,
  spec,
  versions: [old],
  convert: {
    v1beta1: {
      toHub(site) {
        const [host = "", port] = site.spec.address.split(":");
        return { ...site, spec: { host, port: Number(port) } };
      },
      fromHub: (site) => ({ ...site, spec: { address: `${site.spec.host}:${site.spec.port}` } }),
    },
  },
});

describe("converters in a definition", () => {
  it("ZS8: the webhook of a manager serves them, and install leaves its registration alone", async () => {
    await using api = await startApiServer();
    await using client = await api.client();
    const write = async () => (await install(client, [Site]))[0]?.result;
    expect(await write()).toBe("created");
    await using _ = await startManager(client, {
      webhooks: {
        handlers: [conversion(Site)],
        url: "https://127.0.0.1:0",
        host: "127.0.0.1",
        port: 0,
        lameDuckMs: 0,
      },
      log() {},
    });
    const sites = client.resource(Site, "default");
    const beta = client.resource({ apiVersion: "example.com/v1beta1", kind: "Site" }, "default");
    await beta.create({ metadata: { name: "a" }, spec: { address: "shop:443" } });
    expect((await sites.get("a")).spec).toEqual({ host: "shop", port: 443 });
    await sites.create({ metadata: { name: "b" }, spec: { host: "tea" } });
    expect((await beta.list()).items.map((site) => site["spec"])).toEqual([
      { address: "shop:443" },
      { address: "tea:80" },
    ]);
    expect(await write()).toBe("unchanged");
    const definitions = client.resource(CustomResourceDefinition);
    const { conversion: live } = (await definitions.get("sites.example.com")).spec;
    expect(live?.strategy).toBe("Webhook");
    // A real change keeps it, too.
    const { warnings, crd } = defineResource({
      ...names,
      spec,
      versions: [old],
      shortNames: ["s"],
    });
    expect(warnings).toEqual([expect.stringContaining("objects are not converted")]);
    await install(client, [{ crd, convert: Site.convert }]);
    const changed = (await definitions.get("sites.example.com")).spec;
    expect(changed.names.shortNames).toEqual(["s"]);
    expect(changed.conversion).toEqual(live);
  });

  it("ZS8: the short form of a webhook's conversion is that of a definition", () => {
    const clientConfig = { url: "https://127.0.0.1:9443/convert" };
    const conversionOf = (given: object) =>
      defineResource({ ...names, spec, versions: [old], conversion: given as never }).crd().spec
        .conversion;
    const webhook = { clientConfig, conversionReviewVersions: ["v1"] };
    expect(conversionOf({ strategy: "Webhook", clientConfig })).toEqual({
      strategy: "Webhook",
      webhook,
    });
    const long = {
      strategy: "Webhook",
      webhook: { ...webhook, conversionReviewVersions: ["v2", "v1"] },
    };
    expect(
      conversionOf({ strategy: "Webhook", clientConfig, reviewVersions: ["v2", "v1"] }),
    ).toEqual(long);
    expect(conversionOf(long)).toEqual(long);
    expect(() => conversionOf({ strategy: "Webhook", clientConfig: { url: "http://a" } })).toThrow(
      "spec.conversion.webhookClientConfig.url",
    );
  });

  it("ZS8: missing and unknown converters are problems of the definition", () => {
    const convert = { v1beta1: { toHub: () => ({}) }, v3: Site.convert?.["v1beta1"] };
    expect(() =>
      defineResource({ ...names, spec, versions: [old], convert: convert as never }),
    ).toThrow(
      /convert\.v1beta1: the version needs toHub and fromHub\n- convert\.v3: versions has no such version/,
    );
    const Plain = defineResource({ ...names, spec });
    expect(() => conversion(Plain)).toThrow("the definition of Site has no converters");
    expect(() => checkConversions(Plain)).toThrow("has no converters");
  });

  it("ZS8: converters that would never run are refused", () => {
    const define = (conversion: unknown, more: object = {}) =>
      defineResource({
        ...names,
        spec,
        versions: [old],
        convert: Site.convert,
        conversion,
        ...more,
      } as never);
    expect(() => define({ strategy: "None" })).toThrow(
      /conversion\.strategy: the converters in convert would never run: servers with the strategy None change the apiVersion only \(leave conversion out, or use the strategy Webhook\)/,
    );
    const clientConfig = { url: "https://127.0.0.1:9443/convert" };
    expect(define({ strategy: "Webhook", clientConfig }).convert).toBe(Site.convert);
    expect(define(undefined).convert).toBe(Site.convert);
    expect(() => define({ strategy: "None" }, { convert: undefined })).not.toThrow();
  });

  it("ZS8: an asynchronous converter is refused by checkConversions and by the webhook", async () => {
    const sync = Site.convert?.["v1beta1"];
    const define = (converter: object) =>
      defineResource({
        ...names,
        spec,
        versions: [old],
        convert: { v1beta1: { ...sync, ...converter } as never },
      });
    const Late = define({ fromHub: async (site: object) => site });
    const text =
      "the converter to example.com/v1beta1 returned a promise: converters are synchronous";
    expect(() => checkConversions(Late)).toThrow(text);
    const rejects = define({ toHub: () => Promise.reject(new Error("late")) });
    expect(() => checkConversions(rejects)).toThrow(
      "the converter to example.com/v1 returned a promise: converters are synchronous",
    );
    const { fetch } = createWebhook([conversion(Late)]);
    const response = await fetch(
      new Request("https://example.com/convert", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          apiVersion: "apiextensions.k8s.io/v1",
          kind: "ConversionReview",
          request: {
            uid: "1",
            desiredAPIVersion: "example.com/v1beta1",
            objects: [
              {
                apiVersion: "example.com/v1",
                kind: "Site",
                metadata: { name: "a" },
                spec: { host: "a", port: 1 },
              },
            ],
          },
        }),
      }),
    );
    expect(await response.json()).toMatchObject({
      response: { result: { status: "Failure", message: expect.stringContaining(text) } },
    });
  });

  it("ZS8 [+]: random objects of each version survive the way to the others and back", () => {
    checkConversions(Site);
    checkConversions(Site, { seed: 7, runs: 20 });
    expect(() => checkConversions(Site, { runs: 0 })).toThrow(/runs/);
  });

  it("ZS8 [+]: a lost field is named with the seed, the object and its path", () => {
    const Losing = defineResource({
      ...names,
      spec: z.object({ host: z.string(), note: z.string().optional() }),
      versions: [{ name: "v1beta1", spec: z.object({ host: z.string() }) }],
      convert: {
        v1beta1: {
          toHub: (site) => site,
          fromHub: (site) => ({ ...site, spec: { host: site.spec.host } }),
        },
      },
    });
    expect(() => checkConversions(Losing, { seed: 3 })).toThrow(
      /Site, seed 3, example\.com\/v1: sample \d+ does not survive example\.com\/v1 to example\.com\/v1beta1 and back: remove \/spec\/note/,
    );
    const sample = Number(
      /sample (\d+)/.exec(messageOf(() => checkConversions(Losing, { seed: 3 })))?.[1],
    );
    expect(Losing.examples({ seed: 3 })[sample]?.spec).toHaveProperty("note");
  });

  it("ZS8 [+]: a converted object that the other version refuses or prunes is named", () => {
    const define = (size: z.ZodType, from: (size: number) => object) =>
      defineResource({
        ...names,
        spec: z.object({ size: z.int().min(0).max(9) }),
        versions: [{ name: "v1beta1", spec: z.object({ size }) }],
        convert: {
          v1beta1: {
            toHub: (site) => site as never,
            fromHub: (site) => ({ ...site, spec: from(site.spec.size) }) as never,
          },
        },
      });
    const narrow = define(z.int().min(0).max(3), (size) => ({ size }));
    expect(() => checkConversions(narrow)).toThrow(
      /becomes invalid in v1beta1: spec\.size: .*less than or equal to 3/,
    );
    const pruned = define(z.int().min(0).max(9), (size) => ({ size, width: size }));
    expect(messageOf(() => checkConversions(pruned))).toMatch(
      /does not survive|spec\.width is not in the schema, and dropped/,
    );
  });
});

function messageOf(call: () => unknown): string {
  try {
    call();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}
