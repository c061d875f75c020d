import type { CelLibrary } from "../../functions/library.js";
import { type FunctionDeclaration, memberOverload, overload } from "../../functions/overload.js";
import { readingAllCosts } from "../../functions/reading-costs.js";
import { textOfUtf8 } from "../../text/utf8-text.js";
import { escapedPath, type GoUrl, hostname, port } from "../../urls/go-url.js";
import { parseQuery } from "../../urls/parse-query.js";
import { parseRequestUri } from "../../urls/parse-url.js";
import { CelFailure } from "../../values/cel-failure.js";
import { ArrayList } from "../../values/cel-list.js";
import { EntryMap } from "../../values/cel-map.js";
import { boolType, listType, mapType, stringType } from "../../values/cel-type.js";
import { type CelUrl, toUrl, urlType } from "./cel-url.js";

/** Declares a member that returns a part of a URL. */
function part(name: string, id: string, read: (url: GoUrl) => string): FunctionDeclaration {
  const call = ({ url }: CelUrl) => textOfUtf8(read(url));
  return { name, overloads: [memberOverload(id, [urlType], stringType, call)] };
}

function queryMap({ url }: CelUrl): EntryMap {
  return new EntryMap(
    Array.from(parseQuery(url.query), ([key, values]) => [
      textOfUtf8(key),
      new ArrayList(values.map(textOfUtf8)),
    ]),
  );
}

/** URLs, in every version of Kubernetes: `url`, `isURL` and the parts of a URL. */
export const urlsLibrary: CelLibrary = {
  name: "kubernetes.urls",
  functions: [
    {
      name: "url",
      overloads: [overload("string_to_url", [stringType], urlType, toUrl, readingAllCosts())],
    },
    {
      name: "isURL",
      overloads: [
        overload(
          "is_url_string",
          [stringType],
          boolType,
          (text) => !(parseRequestUri(text) instanceof CelFailure),
        ),
      ],
    },
    part("getScheme", "url_get_scheme", ({ scheme }) => scheme),
    part("getHost", "url_get_host", ({ host }) => host),
    part("getHostname", "url_get_hostname", hostname),
    part("getPort", "url_get_port", port),
    part("getEscapedPath", "url_get_escaped_path", escapedPath),
    {
      name: "getQuery",
      overloads: [
        memberOverload(
          "url_get_query",
          [urlType],
          mapType(stringType, listType(stringType)),
          queryMap,
        ),
      ],
    },
  ],
};
