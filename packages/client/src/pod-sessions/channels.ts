/** Subprotocols of exec and attach, the preferred one first. Version 5 can end stdin. (KEP-4006) */
export const sessionProtocols = { v5: "v5.channel.k8s.io", v4: "v4.channel.k8s.io" } as const;

/** Channels: the first byte of each message. (client-go `remotecommand/websocket.go`) */
export const channels = {
  stdin: 0,
  stdout: 1,
  stderr: 2,
  error: 3,
  resize: 4,
  close: 255,
} as const;
