import type { Client } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { readVariant } from "./typekube-variant.js";

/**
 * Sends a small request before the measured ones, in their encoding: it opens the connection and loads the code that
 * the first request and the first body need. Programs that import all their code at once have it loaded too.
 */
export async function firstCall(client: Client, variant: string): Promise<void> {
  const { encoding } = readVariant(variant);
  await client
    .resource(Pod, "team-00")
    .get("pod", { encoding: encoding === "auto" ? "protobuf" : encoding });
}
