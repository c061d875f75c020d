/**
 * Returns the expiry of an id token from its `exp` claim. The signature is not verified; that is the server's job.
 *
 * @returns milliseconds since the epoch, or `undefined` when the token has no readable `exp`.
 */
export function jwtExpiryMs(token: string): number | undefined {
  const [, payload] = token.split(".");
  try {
    const claims = JSON.parse(Buffer.from(payload ?? "", "base64url").toString("utf8")) as {
      readonly exp?: unknown;
    } | null;
    const exp = claims?.exp;
    return typeof exp === "number" && Number.isFinite(exp) ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
