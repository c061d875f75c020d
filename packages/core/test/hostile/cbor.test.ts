import { codecs } from "@typekube/core";
import { describeHostileBytes } from "./fuzz.js";

describeHostileBytes(codecs.cbor);
