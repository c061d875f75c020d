// Runs a controller of controller-runtime through one scenario, on the fake clock of testing/synctest, and writes its metrics to a file. A test
// binary, since synctest needs one: GOLDEN_METRICS is the path.
package goldenmetrics

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	dto "github.com/prometheus/client_model/go"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

type family struct {
	Type    string             `json:"type"`
	Samples map[string]float64 `json:"samples"`
}

// Each run takes a second more than the one before.
func reconciler() reconcile.Func {
	runs := 0
	return func(_ context.Context, request reconcile.Request) (reconcile.Result, error) {
		runs++
		time.Sleep(time.Duration(runs) * time.Second)
		switch {
		case request.Name == "later":
			return reconcile.Result{RequeueAfter: time.Hour}, nil
		case request.Name == "terminal":
			return reconcile.Result{}, reconcile.TerminalError(errors.New("never"))
		case request.Name == "fail" && runs == 4:
			return reconcile.Result{}, errors.New("no")
		}
		return reconcile.Result{}, nil
	}
}

func TestGoldenMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		shops, err := controller.NewUnmanaged("shop", controller.Options{Reconciler: reconciler(), Logger: logr.Discard()})
		if err != nil {
			t.Fatal(err)
		}
		add := func(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
			for _, name := range []string{"ok", "later", "terminal", "fail"} {
				queue.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "default", Name: name}})
			}
			return nil
		}
		if err := shops.Watch(source.Func(add)); err != nil {
			t.Fatal(err)
		}
		done := make(chan error)
		go func() { done <- shops.Start(ctx) }()
		time.Sleep(time.Minute)
		synctest.Wait()
		write(t)
		cancel()
		<-done
	})
}

func write(t *testing.T) {
	gathered, err := metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	families := map[string]family{}
	for _, one := range gathered {
		name := one.GetName()
		if strings.HasPrefix(name, "controller_runtime_") || strings.HasPrefix(name, "workqueue_") {
			families[name] = familyOf(one)
		}
	}
	text, err := json.MarshalIndent(families, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(os.Getenv("GOLDEN_METRICS"), append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

func familyOf(gathered *dto.MetricFamily) family {
	samples := map[string]float64{}
	for _, metric := range gathered.GetMetric() {
		labels := []string{}
		for _, label := range metric.GetLabel() {
			labels = append(labels, label.GetName()+"="+label.GetValue())
		}
		id := strings.Join(labels, ",")
		switch {
		case metric.Counter != nil:
			samples[id] = metric.GetCounter().GetValue()
		case metric.Gauge != nil:
			samples[id] = metric.GetGauge().GetValue()
		case metric.Histogram != nil:
			histogram := metric.GetHistogram()
			samples[id+" sum"] = histogram.GetSampleSum()
			samples[id+" count"] = float64(histogram.GetSampleCount())
			for _, bucket := range histogram.GetBucket() {
				bound, _ := json.Marshal(bucket.GetUpperBound())
				samples[id+" le="+string(bound)] = float64(bucket.GetCumulativeCount())
			}
		}
	}
	return family{Type: strings.ToLower(gathered.GetType().String()), Samples: samples}
}
