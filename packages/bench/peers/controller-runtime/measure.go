package main

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"
)

type measurement struct {
	MainMs       float64 `json:"mainMs"`
	CpuMs        float64 `json:"cpuMs"`
	WallMs       float64 `json:"wallMs"`
	MaxRssMb     float64 `json:"maxRssMb"`
	KeptMb       float64 `json:"keptMb"`
	BlockMs      float64 `json:"blockMs"`
	Clock        string  `json:"clock"`
	Count        int     `json:"count"`
	DrainMs      float64 `json:"drainMs,omitempty"`
	LatencyP50Ms float64 `json:"latencyP50Ms,omitempty"`
	LatencyP99Ms float64 `json:"latencyP99Ms,omitempty"`
}

// Figures at the start of what is measured.
type start struct {
	at  time.Time
	cpu float64
}

func startNow() start { return start{at: time.Now(), cpu: cpuMs()} }

// The start of the process, as its parent saw it.
func startOfProcess() start {
	at, err := strconv.ParseInt(os.Getenv("BENCH_STARTED_AT"), 10, 64)
	check(err)
	return start{at: time.UnixMilli(at)}
}

// Ends the measurement; the heap is left to the caller.
func (s start) end(count int) measurement {
	result := measurement{WallMs: msSince(s.at), CpuMs: cpuMs() - s.cpu, Clock: "process", Count: count}
	result.MainMs = result.CpuMs
	result.MaxRssMb = float64(usage().Maxrss) / 1024
	return result
}

func (m *measurement) setLatencies(latencies []float64) {
	slices.Sort(latencies)
	at := func(share float64) float64 {
		return latencies[min(len(latencies)-1, int(float64(len(latencies))*share))]
	}
	m.LatencyP50Ms, m.LatencyP99Ms = at(0.5), at(0.99)
}

func msSince(at time.Time) float64 { return float64(time.Since(at).Nanoseconds()) / 1e6 }

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
