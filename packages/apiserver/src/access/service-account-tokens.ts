import { createHash, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import type { Clock, Random } from "@typekube/core/internal";
import { getPath, isJsonObject, stringsOf } from "../objects/json-value.js";
import { randomUid } from "../objects/random.js";
import { serviceAccountUser, type User } from "../objects/user.js";

/** Issuer of the tokens, and their audience when the request names none. */
export const issuer = "https://kubernetes.default.svc.cluster.local";

/** Maximum length of a token; longer ones are rejected unread. */
const maxTokenBytes = 16 * 1024;

/** Claims of a token to issue. */
export interface TokenClaims {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** Object whose deletion invalidates the token. */
  readonly bound?:
    | { readonly kind: string; readonly name: string; readonly uid: string }
    | undefined;
}

/** User and audiences of a valid token. */
export interface VerifiedToken {
  readonly user: User;
  readonly audiences: readonly string[];
}

/** Issues and verifies service account tokens: signed JWTs that expire by the server's clock. */
export interface ServiceAccountTokens {
  issue(claims: TokenClaims): { readonly token: string; readonly expiresAtMs: number };
  /** Returns `undefined` for anything but a currently valid token of this server. */
  verify(token: string): VerifiedToken | undefined;
}

/**
 * Returns the UID of an existing object. A token becomes invalid when its service account or the object it is bound to
 * is deleted.
 */
export type FindUid = (
  plural: "nodes" | "pods" | "secrets" | "serviceaccounts",
  namespace: string,
  name: string,
) => string | undefined;

/** Creates the issuer. The signing key is generated when the first token is issued. */
export function createServiceAccountTokens(
  clock: Clock,
  random: Random,
  findUid: FindUid,
): ServiceAccountTokens {
  let keys: Keys | undefined;
  return {
    issue({ namespace, name, uid, audiences, expirationSeconds, bound }) {
      keys ??= makeKeys();
      const now = Math.floor(clock.now() / 1_000);
      const exp = now + expirationSeconds;
      const header = { alg: "ES256", kid: keys.id };
      const object = bound && { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } };
      const payload = {
        aud: audiences,
        exp,
        iat: now,
        iss: issuer,
        jti: randomUid(random),
        "kubernetes.io": { namespace, ...object, serviceaccount: { name, uid } },
        nbf: now,
        sub: `system:serviceaccount:${namespace}:${name}`,
      };
      const text = `${encode(header)}.${encode(payload)}`;
      const signature = sign("sha256", Buffer.from(text), signing(keys.privateKey));
      return { token: `${text}.${signature.toString("base64url")}`, expiresAtMs: exp * 1_000 };
    },
    verify(token) {
      const [header = "", payload = "", signature = "", ...more] = token.split(".");
      if (keys === undefined || more.length > 0 || token.length > maxTokenBytes) {
        return undefined;
      }
      const text = Buffer.from(`${header}.${payload}`);
      const bytes = Buffer.from(signature, "base64url");
      if (
        decode(header)?.["alg"] !== "ES256" ||
        !verify("sha256", text, signing(keys.publicKey), bytes)
      ) {
        return undefined;
      }
      const claims = decode(payload);
      return areOwnersThere(claims, findUid)
        ? readClaims(claims, Math.floor(clock.now() / 1_000))
        : undefined;
    },
  };
}

interface Keys {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

function makeKeys(): Keys {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const der = publicKey.export({ type: "spki", format: "der" });
  return { id: createHash("sha256").update(der).digest("base64url"), privateKey, publicKey };
}

function signing(key: KeyObject): { key: KeyObject; dsaEncoding: "ieee-p1363" } {
  return { key, dsaEncoding: "ieee-p1363" };
}

/** Returns whether the service account and the bound object still exist with the same UIDs. */
function areOwnersThere(claims: unknown, findUid: FindUid): boolean {
  const place = getPath(claims, "kubernetes.io");
  const namespace = String(getPath(place, "namespace") ?? "");
  const owners = { serviceaccount: "serviceaccounts", pod: "pods", secret: "secrets" } as const;
  const namespaced = Object.entries(owners).every(([key, plural]) => {
    const uid = getPath(place, key, "uid");
    const isBound = uid !== undefined || key === "serviceaccount";
    return !isBound || findUid(plural, namespace, String(getPath(place, key, "name"))) === uid;
  });
  const node = getPath(place, "node", "uid");
  return (
    namespaced &&
    (node === undefined || findUid("nodes", "", String(getPath(place, "node", "name"))) === node)
  );
}

function readClaims(claims: unknown, now: number): VerifiedToken | undefined {
  const [exp, nbf] = [getPath(claims, "exp"), getPath(claims, "nbf")];
  if (typeof exp !== "number" || typeof nbf !== "number" || exp <= now || nbf > now) {
    return undefined;
  }
  const text = (...path: readonly string[]) => String(getPath(claims, ...path) ?? "");
  const place = "kubernetes.io";
  const [namespace, name] = [text(place, "namespace"), text(place, "serviceaccount", "name")];
  const user = serviceAccountUser(namespace, name, text(place, "serviceaccount", "uid"));
  const pod = getPath(claims, place, "pod");
  const extra: Record<string, readonly string[]> = {
    "authentication.kubernetes.io/credential-id": [`JTI=${text("jti")}`],
  };
  if (isJsonObject(pod)) {
    extra["authentication.kubernetes.io/pod-name"] = [text(place, "pod", "name")];
    extra["authentication.kubernetes.io/pod-uid"] = [text(place, "pod", "uid")];
  }
  return { user: { ...user, extra }, audiences: stringsOf(getPath(claims, "aud")) };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
