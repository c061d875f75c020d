// A controller as many are written: an informer, a work queue, one worker. It prints what it sees and does.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/workqueue"
)

// Namespace of the story.
var namespace = os.Getenv("STORY_NAMESPACE")

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	must(err)
	if encoding := os.Getenv("CONTENT_TYPE"); encoding != "" {
		config.ContentType = encoding
		config.AcceptContentTypes = encoding + ",application/json"
	}
	client, err := kubernetes.NewForConfig(config)
	must(err)
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	_, err = client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	must(err)
	maps := client.CoreV1().ConfigMaps(namespace)
	create(ctx, client, "before")

	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	informer := factory.Core().V1().ConfigMaps()
	own := func(object any) bool { return strings.HasPrefix(name(object), "m-") || name(object) == "before" }
	_, err = informer.Informer().AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: own,
		Handler: cache.ResourceEventHandlerFuncs{
			AddFunc:    func(object any) { enqueue(queue, object) },
			UpdateFunc: func(_, object any) { enqueue(queue, object) },
			DeleteFunc: func(object any) { enqueue(queue, object) },
		},
	})
	must(err)
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.Informer().HasSynced) {
		panic("never synced")
	}
	fmt.Println("synced")

	// One step at a time: each waits until the worker has said what it did.
	done := make(chan string)
	go func() {
		for {
			key, shutdown := queue.Get()
			if shutdown {
				return
			}
			line := reconcile(ctx, client, informer.Lister().ConfigMaps(namespace).Get, key)
			queue.Done(key)
			queue.Forget(key)
			done <- line
		}
	}()
	until := func(wanted string) {
		for {
			select {
			case line := <-done:
				if line == "" {
					continue
				}
				fmt.Println(line)
				if line == wanted {
					return
				}
			case <-ctx.Done():
				panic("waited for " + wanted)
			}
		}
	}
	until("before: labelled")
	create(ctx, client, "m-1")
	until("m-1: labelled")
	_, err = maps.Patch(ctx, "m-1", types.MergePatchType, []byte(`{"data":{"color":"blue"}}`), metav1.PatchOptions{})
	must(err)
	until("m-1: seen blue")
	_, err = maps.Patch(ctx, "m-1", types.ApplyPatchType, []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m-1"},"data":{"size":"big"}}`), metav1.PatchOptions{FieldManager: "story"})
	must(err)
	until("m-1: seen blue big")

	stale, err := maps.Get(ctx, "m-1", metav1.GetOptions{})
	must(err)
	fresh := stale.DeepCopy()
	fresh.Data["color"] = "green"
	_, err = maps.Update(ctx, fresh, metav1.UpdateOptions{})
	must(err)
	until("m-1: seen green big")
	stale.Data["color"] = "grey"
	_, err = maps.Update(ctx, stale, metav1.UpdateOptions{})
	fmt.Println("stale update:", apierrors.ReasonForError(err))
	_, err = maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "m-1"}}, metav1.CreateOptions{})
	fmt.Println("second create:", apierrors.ReasonForError(err))
	_, err = maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "M!"}}, metav1.CreateOptions{})
	fmt.Println("bad name:", err)
	must(maps.Delete(ctx, "m-1", metav1.DeleteOptions{}))
	until("m-1: gone")
	list, err := maps.List(ctx, metav1.ListOptions{LabelSelector: "by=story"})
	must(err)
	for _, item := range list.Items {
		fmt.Println("listed:", item.Name)
	}
	queue.ShutDown()
}

// Puts a label on what has none, and tells what is there.
func reconcile(ctx context.Context, client kubernetes.Interface, get func(string) (*corev1.ConfigMap, error), key string) string {
	object, err := get(key)
	if apierrors.IsNotFound(err) {
		return key + ": gone"
	}
	must(err)
	if object.Labels["by"] != "story" {
		changed := object.DeepCopy()
		changed.Labels = map[string]string{"by": "story"}
		_, err := client.CoreV1().ConfigMaps(namespace).Update(ctx, changed, metav1.UpdateOptions{})
		must(err)
		return key + ": labelled"
	}
	seen := []string{}
	for _, field := range []string{"color", "size"} {
		if value := object.Data[field]; value != "" {
			seen = append(seen, value)
		}
	}
	if len(seen) == 0 {
		return ""
	}
	return key + ": seen " + strings.Join(seen, " ")
}

func create(ctx context.Context, client kubernetes.Interface, name string) {
	_, err := client.CoreV1().ConfigMaps(namespace).Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	must(err)
}

func enqueue(queue workqueue.TypedRateLimitingInterface[string], object any) {
	queue.Add(name(object))
}

func name(object any) string {
	if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = gone.Obj
	}
	return object.(*corev1.ConfigMap).Name
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
