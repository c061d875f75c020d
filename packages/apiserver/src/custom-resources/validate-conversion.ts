import type { FieldErrors } from "../errors/field-errors.js";
import { cause } from "../errors/status-errors.js";
import { getPath, isJsonObject, type JsonObject, stringsOf } from "../objects/json-value.js";

/** Appends the field errors of a definition's conversion settings. Paths are those of the server's internal version. */
export function validateConversion(spec: JsonObject, errors: FieldErrors): void {
  const conversion = isJsonObject(spec["conversion"]) ? spec["conversion"] : {};
  const strategy = String(conversion["strategy"] ?? "");
  const webhook = isJsonObject(conversion["webhook"]) ? conversion["webhook"] : undefined;
  if (strategy === "") {
    errors.push(cause.required("spec.conversion.strategy"));
    return;
  }
  if (strategy !== "None" && strategy !== "Webhook") {
    errors.push(cause.notSupported("spec.conversion.strategy", strategy, ["None", "Webhook"]));
    return;
  }
  const versions = stringsOf(webhook?.["conversionReviewVersions"]);
  if (strategy === "None") {
    const why = "should not be set when strategy is not set to Webhook";
    if (webhook?.["clientConfig"] !== undefined) {
      errors.push(cause.forbidden("spec.conversion.webhookClientConfig", why));
    }
    if (versions.length !== 0) {
      errors.push(cause.forbidden("spec.conversion.conversionReviewVersions", why));
    }
    return;
  }
  if (spec["preserveUnknownFields"] === true) {
    errors.push(
      cause.invalid(
        "spec.conversion.strategy",
        strategy,
        "must be None if spec.preserveUnknownFields is true",
      ),
    );
  }
  validateClient(webhook?.["clientConfig"], "spec.conversion.webhookClientConfig", errors);
  validateReviewVersion(versions, "spec.conversion.conversionReviewVersions", errors);
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

function validateReviewVersion(
  versions: readonly string[],
  path: string,
  errors: FieldErrors,
): void {
  if (versions.length === 0) {
    errors.push(cause.required(path));
    return;
  }
  if (!versions.some((version) => version === "v1" || version === "v1beta1")) {
    errors.push(cause.invalid(path, versions, "must include at least one of v1, v1beta1"));
  }
}
