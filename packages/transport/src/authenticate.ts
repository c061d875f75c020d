import { collectPrefix, type Interceptor } from "@typekube/core";
import type { Credentials } from "./credentials.js";

/** Bytes of a 401's body that are read so that its connection can be used again. */
const drainBytes = 16 * 1024;

/**
 * Adds the credentials to every request that does not bring its own `authorization`. After a 401 they are
 * refreshed once and, when that gave something new, the request is repeated once.
 */
export function authenticate(credentials: Credentials): Interceptor {
  return (next) => async (request) => {
    if (request.headers["authorization"] !== undefined) {
      return next(request);
    }
    const send = async () =>
      next({ ...request, headers: { ...request.headers, ...(await credentials.headers()) } });
    const response = await send();
    if (response.status !== 401 || !(await credentials.refresh?.())) {
      return response;
    }
    await collectPrefix(response.body, drainBytes);
    return send();
  };
}
