package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/tools/remotecommand"
)

// The pod of the server, and the bytes of a line of its log.
const (
	podNamespace = "team-00"
	podName      = "pod"
	podContainer = "c"
	podPort      = 8080
	lineBytes    = 200
)

// Commands before those that are measured.
const warmUpCommands = 1_000

// How long nobody reads an output.
const unread = 2 * time.Second

// Calls into a pod: each function prepares what is not measured and returns the task.
var podTasks = map[string]func(podCalls) func() (int, any){
	"pod-exec-output": execOutput, "pod-exec-unread": execUnread, "pod-exec-row": execRow, "pod-forward": forward, "pod-logs": followLog,
}

type podCalls struct {
	config  *rest.Config
	clients *kubernetes.Clientset
	url     string
	count   int
	variant string
}

// MB of resident memory above those of the idle program.
type growth float64

// Runs a command over a WebSocket, which kubectl tries first, too.
func (p podCalls) exec(stdout io.Writer, command ...string) error {
	request := p.clients.CoreV1().RESTClient().Get().Resource("pods").Namespace(podNamespace).Name(podName).SubResource("exec").
		VersionedParams(&corev1.PodExecOptions{Container: podContainer, Command: command, Stdout: true}, scheme.ParameterCodec)
	executor, err := remotecommand.NewWebSocketExecutor(p.config, "GET", request.URL().String())
	if err != nil {
		return err
	}
	return executor.StreamWithContext(context.Background(), remotecommand.StreamOptions{Stdout: stdout})
}

type counter struct{ bytes int }

func (c *counter) Write(bytes []byte) (int, error) {
	c.bytes += len(bytes)
	return len(bytes), nil
}

func execOutput(p podCalls) func() (int, any) {
	check(p.exec(io.Discard, "output", "1"))
	return func() (int, any) {
		var output counter
		check(p.exec(&output, "output", fmt.Sprint(p.count)))
		return output.bytes, nil
	}
}

// Takes nothing until it is opened.
type gate struct {
	counter
	open chan struct{}
}

func (g *gate) Write(bytes []byte) (int, error) {
	<-g.open
	return g.counter.Write(bytes)
}

func execUnread(p podCalls) func() (int, any) {
	check(p.exec(io.Discard, "output", "1"))
	return func() (int, any) {
		debug.FreeOSMemory()
		idle := residentMb()
		output := gate{open: make(chan struct{})}
		done := make(chan error)
		go func() { done <- p.exec(&output, "output", fmt.Sprint(p.count)) }()
		most := idle
		for end := time.Now().Add(unread); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			most = max(most, residentMb())
		}
		close(output.open)
		check(<-done)
		return output.bytes, growth(most - idle)
	}
}

func execRow(p podCalls) func() (int, any) {
	run := func(count int) []float64 {
		latencies := make([]float64, count)
		for index := range latencies {
			start := time.Now()
			check(p.exec(io.Discard, "true"))
			latencies[index] = float64(time.Since(start).Nanoseconds()) / 1e6
		}
		return latencies
	}
	run(min(warmUpCommands, p.count))
	return func() (int, any) {
		latencies := run(p.count)
		return len(latencies), latencies
	}
}

// A forwarded port, which another process reads from.
func forward(p podCalls) func() (int, any) {
	request := p.clients.CoreV1().RESTClient().Get().Resource("pods").Namespace(podNamespace).Name(podName).SubResource("portforward")
	dialer, err := portforward.NewSPDYOverWebsocketDialer(request.URL(), p.config)
	check(err)
	ready := make(chan struct{})
	forwarder, err := portforward.New(dialer, []string{fmt.Sprintf(":%d", podPort)}, make(chan struct{}), ready, io.Discard, os.Stderr)
	check(err)
	go func() { check(forwarder.ForwardPorts()) }()
	<-ready
	ports, err := forwarder.GetPorts()
	check(err)
	load := startLoad(fmt.Sprintf("http://127.0.0.1:%d", ports[0].Local), p.variant)
	return func() (int, any) { return load(p.count), nil }
}

// Starts the process that uses what this program offers. The returned function gives it a number and returns what it counted.
func startLoad(url, variant string) func(int) int {
	var words []string
	check(json.Unmarshal([]byte(os.Getenv("BENCH_LOAD")), &words))
	command := exec.Command(words[0], append(words[1:], url, variant)...)
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	check(err)
	output, err := command.StdoutPipe()
	check(err)
	check(command.Start())
	reports := json.NewDecoder(output)
	return func(count int) int {
		fmt.Fprintln(input, count)
		var report struct {
			Count int `json:"count"`
		}
		check(reports.Decode(&report))
		return report.Count
	}
}

func followLog(p podCalls) func() (int, any) {
	read := func(count int) int {
		tail := int64(count)
		options := &corev1.PodLogOptions{Container: podContainer, Follow: true, TailLines: &tail, Timestamps: strings.Contains(p.variant, "times")}
		body, err := p.clients.CoreV1().Pods(podNamespace).GetLogs(podName, options).Stream(context.Background())
		check(err)
		defer body.Close()
		complete := 0
		for lines := bufio.NewScanner(body); lines.Scan(); {
			line := lines.Text()
			if options.Timestamps {
				_, line, _ = strings.Cut(line, " ")
			}
			if len(line) == lineBytes {
				complete++
			}
		}
		return complete
	}
	read(1)
	return func() (int, any) { return read(p.count), nil }
}

// Resident memory of this process; 0 on other systems than Linux.
func residentMb() float64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, resident float64
	_, _ = fmt.Sscan(string(text), &size, &resident)
	return resident * float64(os.Getpagesize()) / (1 << 20)
}
