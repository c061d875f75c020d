package main

import (
	"log"
	"runtime/debug"
	"sort"
)

const kubernetesModule = "k8s.io/kubernetes"

type upstream struct {
	kubernetes string
}

func findUpstream() upstream {
	return upstream{kubernetes: moduleFolder(kubernetesModule)}
}

// rows names the modules that facts come from.
func (upstream) rows() []row {
	wanted := map[string]bool{
		kubernetesModule: true, "k8s.io/api": true, "k8s.io/apimachinery": true, "k8s.io/apiserver": true,
		"k8s.io/apiextensions-apiserver": true, "k8s.io/client-go": true, "k8s.io/component-base": true,
		"k8s.io/kube-aggregator": true,
	}
	var rows []row
	info, ok := debug.ReadBuildInfo()
	if !ok {
		log.Fatal("no build information")
	}
	for _, dep := range info.Deps {
		if !wanted[dep.Path] {
			continue
		}
		version := dep.Version
		if dep.Replace != nil {
			version = dep.Replace.Version
		}
		rows = append(rows, row{"module": dep.Path, "version": version})
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i]["module"].(string) < rows[j]["module"].(string) })
	return rows
}
