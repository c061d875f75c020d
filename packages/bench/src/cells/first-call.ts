import { request } from "undici/index.js";

/**
 * A small request of the floor before the measured ones, as TypeKube's cells make one: a connection stands, and code that is
 * loaded with the first request is there.
 */
export async function firstCall(url: string): Promise<void> {
  const { body } = await request(`${url}/api/v1/namespaces/team-00/pods/pod`);
  JSON.parse(await body.text());
}
