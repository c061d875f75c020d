package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"

	corev1 "k8s.io/api/core/v1"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// Reviews before those that are measured, at most.
const warmUpReviews = 2_000

// What the load reports after each series of reviews.
type load struct {
	Count        int     `json:"count"`
	LatencyP50Ms float64 `json:"latencyP50Ms"`
	LatencyP99Ms float64 `json:"latencyP99Ms"`
}

type labeler struct{}

func (labeler) Default(_ context.Context, pod *corev1.Pod) error {
	if pod.Labels == nil {
		pod.Labels = map[string]string{}
	}
	pod.Labels["reviewed"] = "yes"
	return nil
}

// A webhook that sets one label, under the load of another process.
func serveWebhook(in input) measurement {
	port := freePort()
	server := webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, CertDir: os.Getenv("BENCH_CERTIFICATES")})
	server.Register("/mutate", admission.WithDefaulter(clientgoscheme.Scheme, labeler{}))
	go func() { check(server.Start(context.Background())) }()
	reviews := startLoad(fmt.Sprintf("https://127.0.0.1:%d/mutate", port), in.variant)
	reviews(min(in.count, warmUpReviews))
	begin := startNow()
	done := reviews(in.count)
	result := begin.end(done.Count)
	result.KeptMb = heapMb()
	result.LatencyP50Ms, result.LatencyP99Ms = done.LatencyP50Ms, done.LatencyP99Ms
	return result
}

// Starts the load on a URL; the function that is returned sends a number of reviews.
func startLoad(url, variant string) func(count int) load {
	var command []string
	check(json.Unmarshal([]byte(os.Getenv("BENCH_LOAD")), &command))
	process := exec.Command(command[0], append(command[1:], url, variant)...)
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	check(err)
	out, err := process.StdoutPipe()
	check(err)
	check(process.Start())
	lines := bufio.NewReader(out)
	return func(count int) (done load) {
		_, err := io.WriteString(in, fmt.Sprintln(count))
		check(err)
		line, err := lines.ReadBytes('\n')
		check(err)
		check(json.Unmarshal(line, &done))
		return done
	}
}

func freePort() int {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}
