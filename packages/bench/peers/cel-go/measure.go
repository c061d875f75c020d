package main

import (
	"syscall"
	"time"
)

type measurement struct {
	MainMs   float64 `json:"mainMs"`
	CpuMs    float64 `json:"cpuMs"`
	WallMs   float64 `json:"wallMs"`
	MaxRssMb float64 `json:"maxRssMb"`
	KeptMb   float64 `json:"keptMb"`
	BlockMs  float64 `json:"blockMs"`
	Clock    string  `json:"clock"`
	Count    int     `json:"count"`
}

// Measures what is done for each of some numbers.
func measure(count int, do func(index int)) measurement {
	at, cpu := time.Now(), cpuMs()
	for index := range count {
		do(index)
	}
	wallMs := float64(time.Since(at).Nanoseconds()) / 1e6
	used := cpuMs() - cpu
	return measurement{
		MainMs: used, CpuMs: used, WallMs: wallMs, MaxRssMb: float64(usage().Maxrss) / 1024, Clock: "process", Count: count,
	}
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
