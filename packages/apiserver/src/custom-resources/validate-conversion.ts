import type { StatusCause } from "@typekube/core";
import { cause } from "../errors/status-errors.js";
import { getPath, isJsonObject, type JsonObject, stringsOf } from "../objects/json-value.js";

/** Returns the field errors of a definition's conversion settings. Paths are those of the server's internal version. */
export function validateConversion(spec: JsonObject): StatusCause[] {
  const conversion = isJsonObject(spec["conversion"]) ? spec["conversion"] : {};
  const strategy = String(conversion["strategy"] ?? "");
  const webhook = isJsonObject(conversion["webhook"]) ? conversion["webhook"] : undefined;
  if (strategy === "") {
    return [cause.required("spec.conversion.strategy")];
  }
  if (strategy !== "None" && strategy !== "Webhook") {
    return [cause.notSupported("spec.conversion.strategy", strategy, ["None", "Webhook"])];
  }
  const versions = stringsOf(webhook?.["conversionReviewVersions"]);
  if (strategy === "None") {
    const why = "should not be set when strategy is not set to Webhook";
    return [
      ...(webhook?.["clientConfig"] === undefined
        ? []
        : [cause.forbidden("spec.conversion.webhookClientConfig", why)]),
      ...(versions.length === 0
        ? []
        : [cause.forbidden("spec.conversion.conversionReviewVersions", why)]),
    ];
  }
  return [
    ...(spec["preserveUnknownFields"] === true
      ? [
          cause.invalid(
            "spec.conversion.strategy",
            strategy,
            "must be None if spec.preserveUnknownFields is true",
          ),
        ]
      : []),
    ...validateClient(webhook?.["clientConfig"], "spec.conversion.webhookClientConfig"),
    ...validateReviewVersion(versions, "spec.conversion.conversionReviewVersions"),
  ];
}

function validateClient(client: unknown, path: string): StatusCause[] {
  if (!isJsonObject(client)) {
    return [cause.required(path, "required when strategy is set to Webhook")];
  }
  const { url } = client;
  if ((url === undefined) === (getPath(client, "service") === undefined)) {
    return [cause.required(path, "exactly one of url or service is required")];
  }
  return typeof url === "string" ? validateUrl(url, `${path}.url`) : [];
}

function validateUrl(text: string, path: string): StatusCause[] {
  const form = "desired format: https://host[/path]";
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return [cause.required(path, `url must be a valid URL: ${text}; ${form}`)];
  }
  const scheme = url.protocol.slice(0, -1);
  return [
    ...(scheme === "https"
      ? []
      : [cause.invalid(path, scheme, `'https' is the only allowed URL scheme; ${form}`)]),
    ...(url.username === ""
      ? []
      : [cause.invalid(path, url.username, "user information is not permitted in the URL")]),
    ...(url.hash === ""
      ? []
      : [cause.invalid(path, url.hash.slice(1), "fragments are not permitted in the URL")]),
    ...(url.search === ""
      ? []
      : [
          cause.invalid(path, url.search.slice(1), "query parameters are not permitted in the URL"),
        ]),
  ];
}

function validateReviewVersion(versions: readonly string[], path: string): StatusCause[] {
  if (versions.length === 0) {
    return [cause.required(path)];
  }
  return versions.some((version) => version === "v1" || version === "v1beta1")
    ? []
    : [cause.invalid(path, versions, "must include at least one of v1, v1beta1")];
}
