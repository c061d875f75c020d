import { type CelFailure, noSuchOverload } from "../../values/cel-failure.js";
import { CelOpaque } from "../../values/cel-opaque.js";

/** A value that has members only. Kubernetes never compares two of them. */
export abstract class ReceiverValue extends CelOpaque {
  override equals(): CelFailure {
    return noSuchOverload();
  }
}
