/**
 * When an id token ends: its `exp`, read and not verified, which is the server's part.
 *
 * @returns milliseconds since the epoch, or `undefined` when the token does not say.
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
