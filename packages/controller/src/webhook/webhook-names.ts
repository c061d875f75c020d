import type { RegisteredHandlers } from "./registration/registration.js";
import type { WebhooksOptions } from "./webhooks-options.js";

/** Options that the names depend on. */
type NameOptions = Pick<WebhooksOptions, "name" | "secret" | "service">;

/** Returns the name of the configurations: that of the Service, else that of the first kind. */
export function configurationName(
  { name, service }: NameOptions,
  { admissions, conversions }: RegisteredHandlers,
): string {
  const first = (conversions[0] ?? admissions[0])?.kind;
  const ofKind = first === undefined ? "webhooks" : `${first.plural}.${first.group || "core"}`;
  return name ?? (typeof service === "string" ? service : service?.name) ?? ofKind;
}

/** Returns the name of the Secret with self-made certificates. */
export function secretName({ secret }: NameOptions, configuration: string): string {
  return secret ?? `${configuration}-certificates`;
}
