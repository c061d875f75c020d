import { get } from "node:http";
import { type ApiServer, startApiServer } from "@typekube/apiserver";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let api: ApiServer;
beforeEach(async () => {
  api = await startApiServer();
});
afterEach(() => api.close());

/** Returns the status of a response; `fetch` does not allow these headers. */
function statusOf(server: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${server}/api/v1/secrets`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on("error", reject);
  });
}

describe("a server that allows anonymous requests", () => {
  it.each([
    ["a page of another site", { origin: "https://evil.example" }, 401],
    ["a page with the origin null", { origin: "null" }, 401],
    ["a site whose name resolves to this computer's address", { host: "evil.example" }, 401],
    [
      "a site whose name resolves to this computer's address, with its origin",
      { host: "evil.example", origin: "http://evil.example" },
      401,
    ],
    ["a site whose name begins with localhost", { host: "localhost.evil.example" }, 401],
    ["a site whose name begins with 127.0.0.1", { host: "127.0.0.1.evil.example:80" }, 401],
    ["an invalid host header", { host: "a b" }, 401],
    ["an image or a link of another site", { "sec-fetch-site": "cross-site" }, 401],
    [
      "an image or a link of another site under the same domain",
      { "sec-fetch-site": "same-site" },
      401,
    ],
    ["an address typed by the user", { "sec-fetch-site": "none" }, 200],
    ["the page itself", { "sec-fetch-site": "same-origin" }, 200],
    [
      "a page of this computer on another port",
      { "sec-fetch-site": "same-site", origin: "http://localhost:3000" },
      200,
    ],
    ["a page of this computer", { origin: "http://localhost:3000" }, 200],
    [
      "a page that uses a name of this computer",
      { host: "app.localhost:1", origin: "http://[::1]" },
      200,
    ],
    ["a program that connects to localhost", { host: "localhost:8001" }, 200],
    ["a program without browser headers", {}, 200],
  ])(
    "decides by the request headers, unless a token is sent: %s",
    async (_, headers: Record<string, string>, status) => {
      const { server, token } = await api.listen({ tls: false, anonymous: true });
      expect(await statusOf(server, headers)).toBe(status);
      // A token proves that its holder may send requests.
      expect(await statusOf(server, { ...headers, authorization: `Bearer ${token}` })).toBe(200);
    },
  );

  it("a server for other computers accepts unknown host names, but rejects pages of other sites", async () => {
    const options = { host: "0.0.0.0", allowRemote: true, tls: false, anonymous: true };
    const { server } = await api.listen(options);
    const host = "kube.test:1";
    expect(await statusOf(server, { host })).toBe(200);
    expect(await statusOf(server, { host, origin: "http://kube.test:2" })).toBe(200);
    expect(await statusOf(server, { host, origin: "http://evil.example" })).toBe(401);
  });
});
