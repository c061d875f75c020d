import { admissionChain } from "../../admission/admission-chain.js";
import type { ServerContext } from "../../context/server-context.js";
import type { Write } from "../../context/write.js";
import { StatusError } from "../../errors/status-errors.js";
import type { ResourceRequest } from "../../request/request-info.js";
import type { WriteOptions } from "../../request/write-options.js";
import { withConversions } from "../../resources/versions/pending-conversion.js";

/** Starts a write: loads the schema and the Go type of the kind. */
export async function beginWrite(
  server: ServerContext,
  request: ResourceRequest,
  options: WriteOptions,
  patch: boolean,
): Promise<Write> {
  const { resource } = request;
  const schema = await server.schemas(resource);
  const form = await server.forms(resource);
  return { server, request, schema, form, options, warnings: [], patch, admission: admissionChain };
}

/**
 * Runs a write, discarding the warnings of attempts that are repeated after a conversion. A rejection carries the
 * warnings too.
 */
export function runWrite<T>(write: Write, step: () => T): Promise<T> {
  const { warnings } = write;
  const before = warnings.length;
  return withWarnings(warnings, () => withConversions(step, () => warnings.splice(before)));
}

/** Attaches the warnings so far to a rejection. */
export async function withWarnings<T>(
  warnings: readonly string[],
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof StatusError) {
      error.warnings = warnings;
    }
    throw error;
  }
}
