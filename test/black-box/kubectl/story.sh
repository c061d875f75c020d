# What people type, one command a line: run on both servers from the folder of the manifests, and their outputs compared.
kubectl version
kubectl cluster-info
kubectl api-versions
kubectl api-resources
kubectl api-resources --api-group=apps -o wide
kubectl create namespace demo
kubectl get namespaces
kubectl apply -f settings.yaml
kubectl apply -f settings.yaml
kubectl apply -f web.yaml
kubectl get -f web.yaml
kubectl get all -n demo
kubectl get deployment web -n demo -o wide
kubectl get deployment web -n demo -o yaml
kubectl get cm settings -n demo -o json
kubectl get cm settings -n demo --show-managed-fields -o yaml
kubectl describe cm settings -n demo
kubectl describe deployment web -n demo
kubectl describe service web -n demo
kubectl diff -f web.yaml
sed 's/replicas: 2/replicas: 3/' web.yaml | kubectl diff -f - | grep '^[-+] '
sed 's/replicas: 2/replicas: 3/' web.yaml | kubectl apply -f -
sed 's/replicas: 2/replicas: 3/' web.yaml | kubectl apply --server-side -f -
sed 's/replicas: 2/replicas: 3/' web.yaml | kubectl apply --server-side --force-conflicts -f -
kubectl patch cm settings -n demo -p '{"data":{"size":"big"}}'
kubectl patch cm settings -n demo --type json -p '[{"op":"add","path":"/data/x","value":"y"}]'
kubectl label cm settings -n demo tier=back
kubectl label cm settings -n demo tier=front
kubectl label cm settings -n demo tier-
kubectl annotate cm settings -n demo note=hello
kubectl scale deployment web -n demo --replicas=5
kubectl get deployment web -n demo -o jsonpath='{.spec.replicas}'
kubectl rollout history deployment web -n demo
kubectl rollout restart deployment web -n demo
kubectl rollout pause deployment web -n demo
kubectl rollout resume deployment web -n demo
kubectl rollout status deployment web -n demo --timeout=2s
kubectl set image deployment web -n demo c=nginx:1.28
kubectl set env deployment web -n demo A=b
kubectl autoscale deployment web -n demo --min=1 --max=3 --cpu-percent=50
kubectl get hpa -n demo
kubectl expose deployment web -n demo --name=web2 --port=8080
EDITOR="sed -i s/red/green/" kubectl edit cm settings -n demo
EDITOR="sed -i s/notthere/x/" kubectl edit cm settings -n demo
kubectl get cm settings -n demo -o jsonpath='{.data}'
timeout 5 kubectl get cm settings -n demo -w -o name | head -1
(for i in $(seq 20); do kubectl annotate cm settings -n demo w=$i --overwrite >/dev/null; done) & timeout 8 kubectl get cm settings -n demo --watch-only -o name | head -1; wait
(for i in $(seq 20); do kubectl annotate cm settings -n demo w=$i --overwrite >/dev/null; done; kubectl label cm settings -n demo done=yes >/dev/null) & kubectl wait cm/settings -n demo --for=jsonpath='{.metadata.labels.done}'=yes --timeout=15s; wait
kubectl create -f pod.yaml
kubectl create -f pod.yaml
kubectl get pods -n demo -o wide
kubectl describe pod one -n demo
kubectl wait pod/one -n demo --for=condition=Ready --timeout=1s
kubectl wait cm/settings -n demo --for=jsonpath='{.data.color}'=green --timeout=5s
kubectl get pods -n demo -l app=web --field-selector=status.phase=Pending
kubectl create deployment other -n demo --image=x --replicas=1
kubectl create secret generic s -n demo --from-literal=a=b
kubectl get secret s -n demo -o yaml
kubectl describe secret s -n demo
kubectl create configmap from -n demo --from-literal=k=v --dry-run=client -o yaml
kubectl create configmap from -n demo --from-literal=k=v --dry-run=server
kubectl create job j -n demo --image=x
kubectl create cronjob cj -n demo --image=x --schedule='*/5 * * * *'
kubectl create role r -n demo --verb=get --resource=pods
kubectl create rolebinding rb -n demo --role=r --user=bob
kubectl create clusterrole cr --verb=get --resource=nodes
kubectl create serviceaccount sa -n demo
kubectl create token sa -n demo --duration=1h | cut -c1-3
kubectl create quota q -n demo --hard=pods=10
kubectl create ingress ing -n demo --rule=a.example.com/x=web:80
kubectl create pdb p -n demo --selector=app=web --min-available=1
kubectl create priorityclass pc --value=10
kubectl get role,rolebinding,sa,quota,ingress,pdb,cronjob,job,networkpolicy -n demo
kubectl describe role r -n demo
kubectl describe ingress ing -n demo
kubectl describe cronjob cj -n demo
kubectl auth can-i list pods --as bob -n demo
kubectl auth can-i get pods --as bob -n demo
kubectl auth can-i --list --as bob -n demo
kubectl get pods --as bob
kubectl explain deployment.spec.strategy --recursive | grep -E 'KIND|VERSION|FIELD|\t<|enum'
kubectl explain nosuchthing
kubectl get nosuchthing
kubectl get cm nope -n demo
kubectl get pods -A --sort-by=.metadata.name
kubectl get cm -n demo -o name
kubectl get cm -n demo -o custom-columns=N:.metadata.name,D:.data.color
kubectl get events -n demo --field-selector reason!=ClusterIPNotAllocated
kubectl top pods -n demo
kubectl logs one -n demo
kubectl exec one -n demo -- ls
kubectl port-forward pod/one -n demo :80
kubectl rollout undo deployment web -n demo
kubectl debug one -n demo --image=busybox --target=c -c dbg --attach=false
kubectl get pod one -n demo -o jsonpath='{.spec.ephemeralContainers[*].name}'
kubectl explain pod --recursive | grep -P '\t<'
kubectl explain --output=plaintext-openapiv2 ingress.spec.rules | grep '<'
kubectl get --raw /readyz
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bad}\nspec: {}\n' | kubectl apply -f -
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bad}\nspec: {}\n' | kubectl apply --validate=warn -f -
printf 'apiVersion: v1\nkind: Nope\nmetadata: {name: bad}\n' | kubectl apply -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: bad}\nspec: {}\n' | kubectl apply -f -
kubectl create namespace moved
kubectl apply -f moved.yaml
sed 's/red/blue/; s/replicas: 2/replicas: 4/' moved.yaml | kubectl diff --server-side -f - | grep '^[-+] '
sed 's/red/blue/' moved.yaml | kubectl apply --server-side --field-manager=other -f -
sed 's/red/blue/; s/replicas: 2/replicas: 4/' moved.yaml | kubectl apply --server-side -f -
kubectl get cm colors -n moved --show-managed-fields -o yaml
kubectl get deployment moved -n moved --show-managed-fields -o yaml
sed 's/red/blue/; s/replicas: 2/replicas: 4/' moved.yaml | kubectl diff --server-side -f -
sed 's/red/green/' moved.yaml | kubectl apply -f -
kubectl get cm colors -n moved --show-managed-fields -o jsonpath='{.data} {.metadata.annotations} {.metadata.managedFields[*].manager}'
sed 's/red/white/' moved.yaml | kubectl apply --server-side -f -
kubectl scale deployment moved -n moved --replicas=6
sed 's/500m/"0.5"/; s/memory: 1Gi/memory: 2Gi/' moved.yaml | kubectl apply -f -
sed 's/500m/"0.7"/' moved.yaml | kubectl apply --server-side -f -
kubectl apply --server-side -f moved.yaml
kubectl apply --server-side --force-conflicts -f moved.yaml
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra, namespace: moved, labels: {set: moved}}\n' | kubectl apply -f -
kubectl apply --prune -l set=moved -n moved --prune-allowlist=core/v1/ConfigMap -f moved.yaml --dry-run=server
kubectl apply --prune -l set=moved -n moved --prune-allowlist=core/v1/ConfigMap -f moved.yaml
kubectl get cm -n moved -l set=moved -o name
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra, namespace: moved, labels: {set: moved}}\n' | kubectl apply --server-side -f -
kubectl apply --server-side --prune -l set=moved -n moved --prune-allowlist=core/v1/ConfigMap -f moved.yaml --force-conflicts
KUBECTL_APPLYSET=true kubectl apply --applyset=configmaps/parent --prune -n moved -f moved.yaml
KUBECTL_APPLYSET=true kubectl apply --server-side --applyset=configmaps/parent --prune -n moved -f moved.yaml --force-conflicts
head -7 moved.yaml | KUBECTL_APPLYSET=true kubectl apply --applyset=configmaps/parent --prune -n moved -f -
kubectl get deployments,cm -n moved -o name
kubectl apply view-last-applied cm/colors -n moved
kubectl apply set-last-applied -f moved.yaml --create-annotation
kubectl delete namespace moved --wait=false
kubectl replace -f settings.yaml
kubectl replace --force -f settings.yaml
kubectl delete -f pod.yaml --now
kubectl delete cm -n demo -l app=web
kubectl delete deployment other -n demo --wait=false
kubectl delete all --all -n demo --wait=false
kubectl apply -f gadgets.yaml
kubectl wait crd/gadgets.example.com --for=condition=Established --timeout=5s
printf 'apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: g, namespace: demo}\nspec: {color: red}\n' | kubectl apply -f -
printf 'apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: g, namespace: demo}\nspec: {color: blue, replicas: 2}\n' | kubectl apply -f -
printf 'apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: g, namespace: demo}\nspec: {color: green, parts: []}\n' | kubectl apply -f -
printf 'apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: g, namespace: demo}\nspec: {color: red, nope: 1}\n' | kubectl apply -f -
kubectl get gadgets -n demo
kubectl get gd -n demo -o yaml
kubectl describe gadget g -n demo
kubectl scale gadget g -n demo --replicas=4
kubectl explain gadget.spec | grep -E 'KIND|VERSION|FIELD|\t<|enum'
kubectl delete crd gadgets.example.com
kubectl delete clusterrole cr
kubectl taint nodes x a=b:NoSchedule
kubectl cordon x
kubectl drain x
