import { type GoUrl, urlText } from "../../urls/go-url.js";
import { parseRequestUri, parseUrl } from "../../urls/parse-url.js";
import { CelFailure, noSuchOverload } from "../../values/cel-failure.js";
import { CelOpaque } from "../../values/cel-opaque.js";
import { type CelType, structType } from "../../values/cel-type.js";
import type { CelValue } from "../../values/cel-value.js";

/** Type of `url("https://example.com")`. */
export const urlType: CelType<CelUrl> = structType("kubernetes.URL");

/** A URL as Go's `net/url` reads it. */
export class CelUrl extends CelOpaque {
  override readonly type: CelType<CelUrl> = urlType;
  readonly url: GoUrl;

  constructor(url: GoUrl) {
    super();
    this.url = url;
  }

  override equals(other: CelValue): boolean | CelFailure {
    return other instanceof CelUrl ? urlText(this.url) === urlText(other.url) : noSuchOverload();
  }
}

/**
 * Parses a URL that must be absolute or an absolute path. It is parsed twice, as in Kubernetes: the first parser decides
 * whether it is one, only the second one knows fragments.
 */
export function toUrl(text: string): CelUrl | CelFailure {
  const request = parseRequestUri(text);
  const url = request instanceof CelFailure ? request : parseUrl(text);
  return url instanceof CelFailure
    ? new CelFailure(`URL parse error during conversion from string: ${url.message}`)
    : new CelUrl(url);
}
