import { KubeError } from "@typekube/core";
import { assertKnownOptions } from "@typekube/core/internal";
import { assertServiceWebhooks } from "../webhooks/service-webhook.js";
import { type ApiServerOptions, apiServerOptions } from "./api-server-options.js";

/**
 * Rejects unknown options and invalid values.
 *
 * @throws {KubeError} `InvalidArgument` that names the option and shows the value.
 */
export function assertServerOptions(options: ApiServerOptions): void {
  assertKnownOptions("startApiServer()", options, apiServerOptions);
  for (const [name, entry] of Object.entries(apiServerOptions)) {
    const value: unknown = options[name as keyof ApiServerOptions];
    if (entry !== true && !("table" in entry) && value !== undefined && !entry.isValid(value)) {
      const shown = typeof value === "number" ? String(value) : JSON.stringify(value);
      throw new KubeError("InvalidArgument", `${name} is ${shown}, but must be ${entry.mustBe}`);
    }
  }
  assertServiceWebhooks(options.webhooks ?? {});
}
