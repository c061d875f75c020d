package main

import (
	"encoding/json"
	"log"
	"os/exec"
	"runtime/debug"
	"sort"
)

// k8s.io/kubernetes cannot be required (its own go.mod replaces every staging module), so its files
// are fetched by name; the sum pins what is read.
const (
	kubernetesModule  = "k8s.io/kubernetes"
	kubernetesVersion = "v1.37.1"
	kubernetesSum     = "h1:LTUzSbp9n0W7649oVKBYfC48zcoD3vCk++1PZQn28q8="
)

type upstream struct {
	kubernetes string
}

func findUpstream() upstream {
	text, err := exec.Command("go", "mod", "download", "-json", kubernetesModule+"@"+kubernetesVersion).Output()
	if err != nil {
		log.Fatalf("go mod download %s@%s: %v\n%s", kubernetesModule, kubernetesVersion, err, text)
	}
	var module struct{ Dir, Sum string }
	if err := json.Unmarshal(text, &module); err != nil {
		log.Fatal(err)
	}
	if module.Sum != kubernetesSum {
		log.Fatalf("%s@%s has sum %s, wanted %s", kubernetesModule, kubernetesVersion, module.Sum, kubernetesSum)
	}
	return upstream{kubernetes: module.Dir}
}

// rows names every module that facts come from.
func (upstream) rows() []row {
	wanted := map[string]bool{
		"k8s.io/api": true, "k8s.io/apimachinery": true, "k8s.io/client-go": true,
		"k8s.io/apiextensions-apiserver": true, "k8s.io/kube-aggregator": true,
	}
	rows := []row{{"module": kubernetesModule, "version": kubernetesVersion}}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		log.Fatal("no build information")
	}
	for _, dep := range info.Deps {
		if wanted[dep.Path] {
			rows = append(rows, row{"module": dep.Path, "version": dep.Version})
		}
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i]["module"].(string) < rows[j]["module"].(string) })
	return rows
}
