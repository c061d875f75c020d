/**
 * Request handlers for msw.
 *
 * @module @typekube/apiserver/msw
 */

export type { ApiHandlerOptions, MswHttp } from "./api-handlers.js";
export { apiHandlers } from "./api-handlers.js";
