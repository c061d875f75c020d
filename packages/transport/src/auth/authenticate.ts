import {
  type HttpRequest,
  type HttpResponse,
  type Interceptor,
  monotonicNow,
  systemClock,
} from "@typekube/core/internal";
import { RequestWait, type RequestWaitOptions, withTimeLeft } from "../deadlines/request-wait.js";
import { publishRetry } from "../observe/observe.js";
import { drain } from "../response/drain.js";
import { canBeReplayed } from "../retry/repeatable.js";
import type { ClientCertificate, Credentials, RefusedCredentials } from "./credentials.js";

/** Start of the error message when waiting for credentials took all of a call's time. */
const tooLate = "no credentials were obtained";

/** Limits on waiting for credentials, and the receiver of their certificates. */
export interface AuthenticateOptions extends RequestWaitOptions {
  /** Called before each request with the client certificate for its connection. Default: certificates are not requested. */
  readonly onCertificate?: ((certificate: ClientCertificate | undefined) => void) | undefined;
}

/**
 * Adds credentials to every request without an `authorization` header. After a 401 the credentials are refreshed once;
 * if they changed, the request is sent once more.
 */
export function authenticate(
  credentials: Credentials,
  options: AuthenticateOptions = {},
): Interceptor {
  const { clock = systemClock } = options;
  return (next) => {
    const sendAs = (shown: RefusedCredentials, request: HttpRequest): Promise<HttpResponse> => {
      options.onCertificate?.(shown.certificate);
      return next({ ...request, headers: { ...request.headers, ...shown.headers } });
    };
    return async (request) => {
      if (request.headers["authorization"] !== undefined) {
        return next(request);
      }
      const startedAt = monotonicNow(clock);
      const wait = new RequestWait(request, options, tooLate);
      wait.throwIfOver();
      let shown: RefusedCredentials;
      let left: HttpRequest;
      try {
        // Most credentials have no certificate, so the second wait is conditional.
        shown = { headers: await wait.orOver(credentials.headers(wait)) };
        if (credentials.certificate && options.onCertificate) {
          shown = { ...shown, certificate: await wait.orOver(credentials.certificate(wait)) };
        }
      } finally {
        left = wait.end();
      }
      const response = await sendAs(shown, left);
      return response.status === 401 && credentials.refresh && canBeReplayed(request)
        ? again(response, shown, () => withTimeLeft(request, monotonicNow(clock) - startedAt))
        : response;
    };

    async function again(
      response: HttpResponse,
      refused: RefusedCredentials,
      left: () => HttpRequest,
    ): Promise<HttpResponse> {
      const wait = new RequestWait(left(), options, tooLate);
      let shown: RefusedCredentials;
      try {
        if (!credentials.refresh || !(await wait.orOver(credentials.refresh(refused, wait)))) {
          return response;
        }
        await wait.orOver(drain(response, clock));
        shown = {
          headers: await wait.orOver(credentials.headers(wait)),
          certificate:
            credentials.certificate && (await wait.orOver(credentials.certificate(wait))),
        };
      } catch (error) {
        await drain(response, clock);
        throw error;
      } finally {
        wait.end();
      }
      const request = left();
      publishRetry(request, 0, { status: response.status });
      return sendAs(shown, request);
    }
  };
}
