// What client-go costs for one task, as a cell of the benchmark: "list json", "informer protobuf lean", "watch protobuf", "get 16". It prints
// one measurement, shaped like those of the other cells, and uses client-go as its documentation advises: a typed clientset, its own rate limit
// switched off, protobuf asked for by name.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// As many as the other programs have, at most.
const warmUpCalls = 2_000

type measurement struct {
	MainMs       float64 `json:"mainMs"`
	CpuMs        float64 `json:"cpuMs"`
	WallMs       float64 `json:"wallMs"`
	MaxRssMb     float64 `json:"maxRssMb"`
	KeptMb       float64 `json:"keptMb"`
	BlockMs      float64 `json:"blockMs"`
	Clock        string  `json:"clock"`
	Count        int     `json:"count"`
	LatencyP50Ms float64 `json:"latencyP50Ms,omitempty"`
	LatencyP99Ms float64 `json:"latencyP99Ms,omitempty"`
	GrowthMb     float64 `json:"growthMb,omitempty"`
}

func main() {
	go endWithParent()
	task, url, total, variant := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	count, err := strconv.Atoi(total)
	check(err)
	config := newConfig(url, variant)
	clients, err := kubernetes.NewForConfig(config)
	check(err)
	if prepare, ok := podTasks[task]; ok {
		report(prepare(podCalls{config, clients, url, count, variant}))
		return
	}
	run := map[string]func(*kubernetes.Clientset, int, string) (int, any){
		"get": get, "informer": syncInformer, "informer-events": informerEvents, "lag": lag, "list": list, "watch": watch, "write": write,
	}[task]
	if task == "get" || task == "write" {
		// Warmed up, as the other programs are.
		run(clients, min(warmUpCalls, count), variant)
	} else {
		// A connection stands, as that of the other programs does.
		get(clients, 1, "")
	}
	report(func() (int, any) { return run(clients, count, variant) })
}

// Measures a task once and prints the measurement.
func report(run func() (int, any)) {
	keptBefore := heapMb()
	cpu, start := cpuMs(), time.Now()
	counted, kept := run()
	result := measurement{WallMs: float64(time.Since(start).Microseconds()) / 1000, CpuMs: cpuMs() - cpu, Clock: "process", Count: counted}
	result.MainMs = result.CpuMs
	result.MaxRssMb = maxRssMb()
	result.KeptMb = max(0, heapMb()-keptBefore)
	runtime.KeepAlive(kept)
	switch figures := kept.(type) {
	case []float64:
		slices.Sort(figures)
		at := func(share float64) float64 { return figures[min(len(figures)-1, int(float64(len(figures))*share))] }
		result.LatencyP50Ms, result.LatencyP99Ms = at(0.5), at(0.99)
	case growth:
		result.GrowthMb = float64(figures)
	}
	check(json.NewEncoder(os.Stdout).Encode(result))
}

// Whoever asked holds our input open. An informer would look for its server for ever.
func endWithParent() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(1)
}

func newConfig(url, variant string) *rest.Config {
	config := &rest.Config{Host: url, QPS: -1}
	if ca := os.Getenv("BENCH_CA"); ca != "" {
		config.CAFile = ca
	}
	config.BearerToken = os.Getenv("BENCH_TOKEN")
	// Generated clientsets ask for protobuf by themselves; this says what is measured.
	config.ContentType = "application/json"
	config.AcceptContentTypes = "application/json"
	if strings.Contains(variant, "protobuf") {
		config.ContentType = "application/vnd.kubernetes.protobuf"
		config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	}
	return config
}

func list(clients *kubernetes.Clientset, _ int, variant string) (int, any) {
	if strings.Contains(variant, "pages") {
		return listPages(clients)
	}
	pods, err := clients.CoreV1().Pods("").List(context.Background(), metav1.ListOptions{})
	check(err)
	return len(pods.Items), pods
}

func listPages(clients *kubernetes.Clientset) (int, any) {
	var items []corev1.Pod
	options := metav1.ListOptions{Limit: 500}
	for {
		page, err := clients.CoreV1().Pods("").List(context.Background(), options)
		check(err)
		items = append(items, page.Items...)
		if options.Continue = page.Continue; page.Continue == "" {
			return len(items), items
		}
	}
}

func syncInformer(clients *kubernetes.Clientset, _ int, variant string) (int, any) {
	var options []informers.SharedInformerOption
	if strings.Contains(variant, "lean") {
		options = append(options, informers.WithTransform(func(object any) (any, error) {
			if pod, ok := object.(*corev1.Pod); ok {
				pod.ManagedFields = nil
			}
			return object, nil
		}))
	}
	if strings.Contains(variant, "fields") {
		options = append(options, informers.WithTransform(eightFields))
	}
	factory := informers.NewSharedInformerFactoryWithOptions(clients, 0, options...)
	informer := factory.Core().V1().Pods().Informer()
	stop := make(chan struct{})
	factory.Start(stop)
	if !cache.WaitForCacheSync(stop, informer.HasSynced) {
		panic("the informer did not sync")
	}
	return len(informer.GetStore().ListKeys()), informer
}

// The same fields that TypeKube's rows with eight fields keep.
func eightFields(object any) (any, error) {
	pod, ok := object.(*corev1.Pod)
	if !ok {
		return object, nil
	}
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: pod.Name, Namespace: pod.Namespace, UID: pod.UID, ResourceVersion: pod.ResourceVersion,
			CreationTimestamp: pod.CreationTimestamp, DeletionTimestamp: pod.DeletionTimestamp,
			Labels: pod.Labels, OwnerReferences: pod.OwnerReferences,
		},
		Spec:   corev1.PodSpec{NodeName: pod.Spec.NodeName},
		Status: corev1.PodStatus{Phase: pod.Status.Phase},
	}, nil
}

func watch(clients *kubernetes.Clientset, count int, variant string) (int, any) {
	selector := metav1.ListOptions{LabelSelector: fmt.Sprintf("events-%d", count)}
	watcher, err := clients.CoreV1().Pods("").Watch(context.Background(), selector)
	check(err)
	seen := 0
	for range watcher.ResultChan() {
		if seen++; seen == count {
			break
		}
	}
	return seen, nil
}

// An empty list, then events, through an index and a handler.
func informerEvents(clients *kubernetes.Clientset, count int, _ string) (int, any) {
	factory := informers.NewSharedInformerFactoryWithOptions(clients, 0, informers.WithTweakListOptions(func(options *metav1.ListOptions) {
		options.LabelSelector = fmt.Sprintf("events-%d", count)
	}))
	informer := factory.Core().V1().Pods().Informer()
	check(informer.AddIndexers(cache.Indexers{"node": func(object any) ([]string, error) {
		return []string{object.(*corev1.Pod).Spec.NodeName}, nil
	}}))
	var seen atomic.Int64
	done := make(chan struct{})
	notice := func(any) {
		if seen.Add(1) == int64(count) {
			close(done)
		}
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: notice, UpdateFunc: func(_, object any) { notice(object) }, DeleteFunc: notice,
	})
	check(err)
	stop := make(chan struct{})
	factory.Start(stop)
	<-done
	return int(seen.Load()), nil
}

// How far an informer lags behind writes: each object says when it was written, and whether it counts.
func lag(clients *kubernetes.Clientset, count int, _ string) (int, any) {
	factory := informers.NewSharedInformerFactoryWithOptions(clients, 0, informers.WithNamespace("default"))
	informer := factory.Core().V1().ConfigMaps().Informer()
	lags := make([]float64, 0, count)
	done := make(chan struct{})
	notice := func(object any) {
		data := object.(*corev1.ConfigMap).Data
		if data["isMeasured"] != "true" || len(lags) == count {
			return
		}
		at, err := strconv.ParseInt(data["writtenAtMs"], 10, 64)
		check(err)
		lags = append(lags, float64(time.Now().UnixMilli()-at))
		if len(lags) == count {
			close(done)
		}
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: notice, UpdateFunc: func(_, object any) { notice(object) },
	})
	check(err)
	stop := make(chan struct{})
	factory.Start(stop)
	<-done
	return len(lags), lags
}

func get(clients *kubernetes.Clientset, count int, variant string) (int, any) {
	return concurrently(count, variant, func() error {
		_, err := clients.CoreV1().Pods("team-00").Get(context.Background(), "pod", metav1.GetOptions{})
		return err
	})
}

func write(clients *kubernetes.Clientset, count int, variant string) (int, any) {
	pods := clients.CoreV1().Pods("team-00")
	if strings.Contains(variant, "create") {
		pod, err := pods.Get(context.Background(), "pod", metav1.GetOptions{})
		check(err)
		pod.Namespace = "team-00"
		return concurrently(count, variant, func() error {
			// The encoder writes kind and apiVersion into what it is given, and takes them out again.
			own := *pod
			_, err := pods.Create(context.Background(), &own, metav1.CreateOptions{})
			return err
		})
	}
	patch := []byte(`{"metadata":{"labels":{"tier":"gold"}}}`)
	return concurrently(count, variant, func() error {
		_, err := pods.Patch(context.Background(), "pod", types.MergePatchType, patch, metav1.PatchOptions{})
		return err
	})
}

// As many calls as asked for, never more at once than the number in the variant.
func concurrently(count int, variant string, call func() error) (int, any) {
	concurrency := 1
	for _, word := range strings.Fields(variant) {
		if number, err := strconv.Atoi(word); err == nil {
			concurrency = number
		}
	}
	var left, done atomic.Int64
	left.Store(int64(count))
	var group sync.WaitGroup
	for range concurrency {
		group.Go(func() {
			for left.Add(-1) >= 0 {
				check(call())
				done.Add(1)
			}
		})
	}
	group.Wait()
	return int(done.Load()), nil
}

func heapMb() float64 {
	runtime.GC()
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return float64(memory.HeapAlloc) / (1 << 20)
}

func usage() syscall.Rusage {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage
}

func cpuMs() float64 {
	used := usage()
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e6
}

func maxRssMb() float64 { return float64(usage().Maxrss) / 1024 }

func check(err error) {
	if err != nil {
		panic(err)
	}
}
