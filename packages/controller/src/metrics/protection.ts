import { createHash } from "node:crypto";
import type { KubeObject } from "@typekube/api";
import type { ClientCore } from "@typekube/client";
import { contextOf, operationsOf } from "@typekube/client/internal";
import { type Clock, monotonicNow } from "@typekube/core/internal";
import { BoundedMap } from "../cache/bounded-map.js";
import {
  type PlainRequest,
  type PlainResponse,
  type Route,
  textResponse,
} from "../http/http-listener.js";

/** Milliseconds for which a decision is remembered. (controller-runtime `pkg/metrics/filters`) */
const rememberMs = 60_000;
const maxRemembered = 1_000;

// Descriptors of our own: those of @typekube/api would load all other kinds of their groups.
const ofReviews = {
  shortNames: [],
  categories: [],
  scope: "Cluster",
  version: "v1",
  verbs: ["create"],
  subresources: {},
  protobuf: false,
} as const;
const tokenReview = {
  ...ofReviews,
  group: "authentication.k8s.io",
  apiVersion: "authentication.k8s.io/v1",
  kind: "TokenReview",
  plural: "tokenreviews",
  singular: "tokenreview",
} as const;
const accessReview = {
  ...ofReviews,
  group: "authorization.k8s.io",
  apiVersion: "authorization.k8s.io/v1",
  kind: "SubjectAccessReview",
  plural: "subjectaccessreviews",
  singular: "subjectaccessreview",
} as const;

interface User {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Returns a route that admits a request only with a token of the cluster whose user may `get` the path: 401 without one,
 * 403 without the right, 500 when the server cannot be asked. Decisions are remembered for a minute.
 */
export function protectedRoute(client: ClientCore, clock: Clock, route: Route): Route {
  const decisions = new BoundedMap<{ readonly status: number; readonly at: number }>(maxRemembered);
  const decide = async (token: string, path: string): Promise<number> => {
    // Only a hash of the token is kept.
    const key = createHash("sha256").update(token).update("\0").update(path).digest("base64");
    const known = decisions.get(key);
    const now = monotonicNow(clock);
    if (known !== undefined && now - known.at < rememberMs) {
      return known.status;
    }
    const status = await review(client, token, path);
    decisions.set(key, { status, at: now });
    return status;
  };
  return async (request: PlainRequest): Promise<PlainResponse | undefined> => {
    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
    const status = token === undefined ? 401 : await decide(token, request.path);
    if (status === 200) {
      return route(request);
    }
    return textResponse(status, status === 401 ? "Unauthorized\n" : "Forbidden\n");
  };
}

async function review(client: ClientCore, token: string, path: string): Promise<number> {
  const { authenticated, user } = (await create(client, tokenReview, { token })) as {
    readonly authenticated?: boolean;
    readonly user?: User;
  };
  if (authenticated !== true || user === undefined) {
    return 401;
  }
  const { username, uid, groups, extra } = user;
  const { allowed } = (await create(client, accessReview, {
    user: username,
    uid,
    groups,
    extra,
    nonResourceAttributes: { path, verb: "get" },
  })) as { readonly allowed?: boolean };
  return allowed === true ? 200 : 403;
}

async function create(
  client: ClientCore,
  kind: typeof accessReview | typeof tokenReview,
  spec: object,
): Promise<object> {
  const object = { apiVersion: kind.apiVersion, kind: kind.kind, spec } as KubeObject;
  const reviewed = await operationsOf(contextOf(client), kind, undefined).create(object);
  return (reviewed as { readonly status?: object }).status ?? {};
}
