import { inspect } from "node:util";
import type { KubeconfigUser } from "./kubeconfig.js";

const redacted = "[redacted]";

/** Redacts a user in logs and JSON: token, password, key, and the settings of plugins. */
export function redactUser(user: KubeconfigUser): KubeconfigUser {
  const shown = () => {
    const copy: Record<string, unknown> = { ...user };
    for (const field of ["token", "password", "client-key-data"]) {
      if (copy[field]) {
        copy[field] = redacted;
      }
    }
    for (const [field, secrets] of Object.entries(pluginSecrets)) {
      if (copy[field]) {
        copy[field] = hide(copy[field] as Readonly<Record<string, unknown>>, secrets);
      }
    }
    return copy;
  };
  return Object.defineProperties(
    { ...user },
    {
      [inspect.custom]: { value: shown },
      toJSON: { value: shown },
    },
  );
}

const pluginSecrets: Readonly<Record<string, readonly string[]>> = {
  exec: ["args", "config", "env"],
  "auth-provider": ["config"],
};

function hide(
  object: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...object };
  for (const field of fields) {
    if (copy[field]) {
      copy[field] = redacted;
    }
  }
  return copy;
}
