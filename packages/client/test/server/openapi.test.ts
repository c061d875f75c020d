import { failure } from "@typekube/test-support/failure";
import { ScriptedServer } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";

const setUp = () => {
  const urls: Record<string, string> = {
    "api/v1": "/openapi/v3/api/v1?hash=A1",
    "apis/apps/v1": "/openapi/v3/apis/apps/v1?hash=B1",
  };
  const server = new ScriptedServer(({ url, path }) => {
    const paths = Object.fromEntries(
      Object.entries(urls).map(([name, serverRelativeURL]) => [name, { serverRelativeURL }]),
    );
    // Servers label the index as text.
    return url === "/openapi/v3"
      ? { type: "text/plain; charset=utf-8", body: { paths } }
      : { body: { openapi: "3.0.0", of: path } };
  });
  return { urls, server, openApi: server.client().openApi };
};

describe("OpenAPI", () => {
  it("requests v3 documents by their hash, and again only when the hash changes", async () => {
    const { urls, server, openApi } = setUp();
    const first = await openApi.document("apps/v1");
    expect(first).toEqual({ openapi: "3.0.0", of: "/openapi/v3/apis/apps/v1?hash=B1" });
    expect(await openApi.document("apps/v1")).toBe(first);
    await openApi.document("v1");
    expect(server.log).toEqual([
      "GET /openapi/v3",
      "GET /openapi/v3/apis/apps/v1?hash=B1",
      "GET /openapi/v3",
      "GET /openapi/v3",
      "GET /openapi/v3/api/v1?hash=A1",
    ]);
    urls["apis/apps/v1"] = "/openapi/v3/apis/apps/v1?hash=B2";
    expect((await openApi.document("apps/v1"))["of"]).toContain("B2");
  });

  it("lists the documents of the index; another group-version is NotFound", async () => {
    const { openApi } = setUp();
    expect([...(await openApi.paths()).keys()]).toEqual(["api/v1", "apis/apps/v1"]);
    const error = await failure(openApi.document("x.io/v1"));
    expect(error.message).toBe("[NotFound] this server has no OpenAPI v3 document of x.io/v1");
  });

  it("does not follow an index that points elsewhere", async () => {
    for (const url of ["https://elsewhere/openapi/v3/a", "/api/v1/secrets", "/openapi/v3/../x"]) {
      const { urls, server, openApi } = setUp();
      urls["apis/apps/v1"] = url;
      expect(["Decode", "InvalidArgument"]).toContain(
        (await failure(openApi.document("apps/v1"))).code,
      );
      expect(server.log).toEqual(["GET /openapi/v3"]);
    }
  });

  it("requests a document again after a failure; v2 is one document", async () => {
    let broken = true;
    const { server } = setUp();
    const send: typeof server.send = async (request) => {
      if (broken && request.path.includes("hash")) {
        throw new Error("gone");
      }
      return server.send(request);
    };
    const { openApi } = server.client({ send });
    await expect(openApi.document("v1")).rejects.toThrow("gone");
    broken = false;
    await openApi.document("v1");
    expect(await openApi.v2()).toMatchObject({ of: "/openapi/v2" });
  });
});
