import {
  cause,
  type FieldErrors,
  validateOneOf,
  validateRequired,
} from "@typekube/core/internal/field-errors";
import { getPath, isJsonObject, type JsonObject, stringsOf } from "@typekube/core/internal/json";
import { mapOf } from "./definition-parts.js";

/** Appends the field errors of a definition's conversion settings. Paths are those of the server's internal version. */
export function validateConversion(spec: JsonObject, errors: FieldErrors): void {
  const { strategy, webhook } = mapOf(spec["conversion"]);
  const { clientConfig, conversionReviewVersions } = mapOf(webhook);
  const versions = stringsOf(conversionReviewVersions);
  validateRequired(strategy, "spec.conversion.strategy", errors);
  validateOneOf(strategy, ["None", "Webhook"], "spec.conversion.strategy", errors);
  if (strategy === "None") {
    const why = "should not be set when strategy is not set to Webhook";
    if (clientConfig !== undefined) {
      errors.push(cause.forbidden("spec.conversion.webhookClientConfig", why));
    }
    if (versions.length > 0) {
      errors.push(cause.forbidden("spec.conversion.conversionReviewVersions", why));
    }
  }
  if (strategy === "Webhook") {
    if (spec["preserveUnknownFields"] === true) {
      const why = "must be None if spec.preserveUnknownFields is true";
      errors.push(cause.invalid("spec.conversion.strategy", strategy, why));
    }
    validateClient(clientConfig, "spec.conversion.webhookClientConfig", errors);
    validateReviewVersions(versions, "spec.conversion.conversionReviewVersions", errors);
  }
}

function validateClient(client: unknown, path: string, errors: FieldErrors): void {
  if (!isJsonObject(client)) {
    errors.push(cause.required(path, "required when strategy is set to Webhook"));
    return;
  }
  const { url } = client;
  if ((url === undefined) === (getPath(client, "service") === undefined)) {
    errors.push(cause.required(path, "exactly one of url or service is required"));
    return;
  }
  if (typeof url === "string") {
    validateUrl(url, `${path}.url`, errors);
  }
}

function validateUrl(text: string, path: string, errors: FieldErrors): void {
  const form = "desired format: https://host[/path]";
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    errors.push(cause.required(path, `url must be a valid URL: ${text}; ${form}`));
    return;
  }
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== "https") {
    errors.push(cause.invalid(path, scheme, `'https' is the only allowed URL scheme; ${form}`));
  }
  if (url.username !== "") {
    errors.push(cause.invalid(path, url.username, "user information is not permitted in the URL"));
  }
  if (url.hash !== "") {
    errors.push(cause.invalid(path, url.hash.slice(1), "fragments are not permitted in the URL"));
  }
  if (url.search !== "") {
    errors.push(
      cause.invalid(path, url.search.slice(1), "query parameters are not permitted in the URL"),
    );
  }
}

function validateReviewVersions(
  versions: readonly string[],
  path: string,
  errors: FieldErrors,
): void {
  if (versions.length === 0) {
    errors.push(cause.required(path));
  } else if (!versions.includes("v1") && !versions.includes("v1beta1")) {
    errors.push(cause.invalid(path, versions, "must include at least one of v1, v1beta1"));
  }
}
