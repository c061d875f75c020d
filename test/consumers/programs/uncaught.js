import { connect } from "typekube";

await connect({ kubeconfig: "/no/such/file" });
