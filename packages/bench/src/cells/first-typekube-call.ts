import type { Client } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { readVariant } from "./typekube-variant.js";

/**
 * A small request before the measured ones, in the encoding that they will have: a connection stands, and the code that is
 * loaded with the first request and the first body is there, as that of programs that import all of theirs is.
 */
export async function firstCall(client: Client, variant: string): Promise<void> {
  const { encoding } = readVariant(variant);
  await client
    .resource(Pod, "team-00")
    .get("pod", { encoding: encoding === "auto" ? "protobuf" : encoding });
}
