import { admissionChain } from "../../admission/admission-chain.js";
import type { Write } from "../../context/write.js";
import type { WriteOptions } from "../../request/write-options.js";
import { beginAdmission, type CallAdmission } from "./begin-admission.js";
import type { ResourceCall } from "./resource-call.js";

/** A write of a call, and how its attempts are repeated. */
export type CallWrite = CallAdmission & Write;

/** Starts a write: loads the schema and the Go type of the kind. */
export async function beginWrite(
  call: Pick<ResourceCall, "origin" | "request" | "server">,
  options: WriteOptions,
  patch: boolean,
): Promise<CallWrite> {
  const { server, request } = call;
  const { resource } = request;
  const schema = await server.schemas(resource);
  const form = await server.forms(resource);
  return {
    ...beginAdmission(call),
    request,
    schema,
    form,
    options,
    patch,
    admission: admissionChain,
  };
}
