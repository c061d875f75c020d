/** Returns a valid manifest as YAML: a ConfigMap, or a Deployment as charts render it. */
export function manifestOf(kind: string, index: number): string {
  return kind === "Deployment" ? deployment(index) : configMap(index);
}

function configMap(index: number): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: config-${index}
  namespace: shop
  labels:
    app: web
    tier: "${index % 5}"
data:
  mode: production
  level: "${index}"
  file.properties: |
    first=1
    second=${index}
`;
}

function deployment(index: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-${index}
  namespace: shop
  labels:
    app: web-${index}
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web-${index}
  template:
    metadata:
      labels:
        app: web-${index}
    spec:
      containers:
      - name: web
        image: nginx:1.27
        ports:
        - containerPort: 8080
          name: http
        env:
        - name: LEVEL
          value: "${index}"
        resources:
          requests:
            cpu: 100m
            memory: 128Mi
          limits:
            memory: 256Mi
        readinessProbe:
          httpGet:
            path: /healthz
            port: http
        volumeMounts:
        - name: config
          mountPath: /etc/config
      volumes:
      - name: config
        configMap:
          name: config-${index}
`;
}
