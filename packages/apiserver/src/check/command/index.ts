/**
 * The command `typekube check`, for the package `typekube`. Semver does not cover this entry point.
 *
 * @module @typekube/apiserver/check/command
 */

export { type CheckIo, checkCommand } from "./check-command.js";
