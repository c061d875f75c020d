// Drives the work queues of client-go and controller-runtime through the scenarios of a file, on the fake clock of testing/synctest, and writes
// what they did to another file. A test binary, since synctest needs one: GOLDEN_SCENARIOS and GOLDEN_RESULTS are the paths.
package goldenqueue

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

type scenario struct {
	Name  string `json:"name"`
	Queue string `json:"queue"`
	Steps []step `json:"steps"`
}

// Options of a step are only set where they matter to it.
type step struct {
	Op       string `json:"op"`
	Key      string `json:"key"`
	Priority int    `json:"priority"`
	AfterMs  int64  `json:"afterMs"`
	Ms       int64  `json:"ms"`
	Drain    bool   `json:"drain"`
}

type result struct {
	Name string `json:"name"`
	// One entry per step that returns something.
	Returned []string  `json:"returned"`
	Adds     int       `json:"adds"`
	Retries  int       `json:"retries"`
	Depth    int       `json:"depth"`
	WaitedMs []float64 `json:"waitedMs"`
	WorkedMs []float64 `json:"workedMs"`
}

// A queue under test. The priority of a key that client-go hands out is 0.
type queue interface {
	add(key string, priority int, after time.Duration)
	retry(key string, priority int)
	take() (key string, priority int, shutdown bool)
	workqueue.TypedRateLimitingInterface[string]
}

type classic struct {
	workqueue.TypedRateLimitingInterface[string]
}

func (q classic) add(key string, _ int, after time.Duration) {
	if after > 0 {
		q.AddAfter(key, after)
	} else {
		q.Add(key)
	}
}

func (q classic) retry(key string, _ int) { q.AddRateLimited(key) }

func (q classic) take() (string, int, bool) {
	key, shutdown := q.Get()
	return key, 0, shutdown
}

type priority struct {
	priorityqueue.PriorityQueue[string]
}

func (q priority) add(key string, priority int, after time.Duration) {
	q.AddWithOpts(priorityqueue.AddOpts{After: after, Priority: &priority}, key)
}

// As its controller does: with the priority of the run.
func (q priority) retry(key string, priority int) {
	q.AddWithOpts(priorityqueue.AddOpts{RateLimited: true, Priority: &priority}, key)
}

func (q priority) take() (string, int, bool) { return q.GetWithPriority() }

func TestGoldenQueue(t *testing.T) {
	path, out := os.Getenv("GOLDEN_SCENARIOS"), os.Getenv("GOLDEN_RESULTS")
	if path == "" || out == "" {
		t.Skip("GOLDEN_SCENARIOS and GOLDEN_RESULTS are not set")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var scenarios []scenario
	if err := json.Unmarshal(text, &scenarios); err != nil {
		t.Fatal(err)
	}
	results := []result{}
	for _, one := range scenarios {
		synctest.Test(t, func(t *testing.T) { results = append(results, run(t, one)) })
	}
	encoded, err := json.MarshalIndent(results, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(out, append(encoded, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

func newQueue(kind string, metrics workqueue.MetricsProvider) queue {
	if kind == "classic" {
		return classic{workqueue.NewTypedRateLimitingQueueWithConfig(
			workqueue.DefaultTypedControllerRateLimiter[string](),
			workqueue.TypedRateLimitingQueueConfig[string]{Name: "golden", MetricsProvider: metrics},
		)}
	}
	return priority{priorityqueue.New("golden", func(o *priorityqueue.Opts[string]) { o.MetricProvider = metrics })}
}

func run(t *testing.T, one scenario) result {
	metrics := &recorder{}
	q := newQueue(one.Queue, metrics)
	runs := map[string]int{}
	returned := []string{}
	closed, drained := false, false
	for _, s := range one.Steps {
		switch s.Op {
		case "add":
			q.add(s.Key, s.Priority, time.Duration(s.AfterMs)*time.Millisecond)
		case "retry":
			q.retry(s.Key, runs[s.Key])
		case "forget":
			q.Forget(s.Key)
		case "requeues":
			returned = append(returned, fmt.Sprintf("requeues %d", q.NumRequeues(s.Key)))
		case "depth":
			returned = append(returned, fmt.Sprintf("depth %d", q.Len()))
		case "take":
			if !closed && q.Len() == 0 {
				returned = append(returned, "none")
				break
			}
			key, priority, shutdown := q.take()
			if shutdown {
				returned = append(returned, "closed")
			} else {
				runs[key] = priority
				returned = append(returned, fmt.Sprintf("%s %d", key, priority))
			}
		case "done":
			q.Done(s.Key)
		case "advance":
			time.Sleep(time.Duration(s.Ms) * time.Millisecond)
		case "close":
			closed = true
			go func() {
				if s.Drain {
					q.ShutDownWithDrain()
				} else {
					q.ShutDown()
				}
				drained = true
			}()
		case "closed":
			returned = append(returned, fmt.Sprintf("closed %t", drained))
		default:
			t.Fatalf("unknown step %q", s.Op)
		}
		synctest.Wait()
	}
	// client-go's ShutDownWithDrain leaves a goroutine; controller-runtime's ShutDown may be called only once.
	if !closed || one.Queue == "classic" {
		q.ShutDown()
	}
	return result{
		one.Name, returned, metrics.adds, metrics.retries, metrics.depth, milliseconds(metrics.waited), milliseconds(metrics.worked),
	}
}

func milliseconds(seconds []float64) []float64 {
	ms := make([]float64, len(seconds))
	for i, s := range seconds {
		ms[i] = float64(time.Duration(s * float64(time.Second)).Round(time.Millisecond).Milliseconds())
	}
	return ms
}

// The metrics of one queue.
type recorder struct {
	adds, retries, depth int
	waited, worked       []float64
}

type counter struct{ value *int }

func (c counter) Inc() { *c.value++ }
func (c counter) Dec() { *c.value-- }

type values struct{ list *[]float64 }

func (v values) Observe(value float64) { *v.list = append(*v.list, value) }

type ignored struct{}

func (ignored) Set(float64) {}

func (r *recorder) NewDepthMetric(string) workqueue.GaugeMetric       { return counter{&r.depth} }
func (r *recorder) NewAddsMetric(string) workqueue.CounterMetric      { return counter{&r.adds} }
func (r *recorder) NewRetriesMetric(string) workqueue.CounterMetric   { return counter{&r.retries} }
func (r *recorder) NewLatencyMetric(string) workqueue.HistogramMetric { return values{&r.waited} }
func (r *recorder) NewWorkDurationMetric(string) workqueue.HistogramMetric {
	return values{&r.worked}
}
func (r *recorder) NewUnfinishedWorkSecondsMetric(string) workqueue.SettableGaugeMetric {
	return ignored{}
}
func (r *recorder) NewLongestRunningProcessorSecondsMetric(string) workqueue.SettableGaugeMetric {
	return ignored{}
}
