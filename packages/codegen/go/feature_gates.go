package main

import (
	"log"
	"sort"

	"k8s.io/apimachinery/pkg/util/version"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	logsapi "k8s.io/component-base/logs/api/v1"

	// Registers the gates of kube-apiserver.
	_ "k8s.io/apiserver/pkg/server"
	_ "k8s.io/controller-manager/pkg/features/register"
	_ "k8s.io/kubernetes/pkg/features"
)

// featureGateRows lists the feature gates of kube-apiserver with the stages that they went through.
func featureGateRows() []row {
	// As cmd/kube-apiserver/app/server.go does; the other gates register themselves.
	if err := logsapi.AddFeatureGates(utilfeature.DefaultMutableFeatureGate); err != nil {
		log.Fatal(err)
	}
	var rows []row
	for name, specs := range utilfeature.DefaultMutableFeatureGate.GetAllVersioned() {
		if name == "AllAlpha" || name == "AllBeta" {
			continue
		}
		stages := make([]row, len(specs))
		for i, spec := range specs {
			stages[i] = stageRow(spec)
		}
		rows = append(rows, row{"name": string(name), "stages": stages})
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i]["name"].(string) < rows[j]["name"].(string) })
	return rows
}

// stageRow names the first release in which a stage applies to a server with the default minimum
// compatibility version, which is one release older than the server.
func stageRow(spec featuregate.FeatureSpec) row {
	since := spec.Version
	if spec.MinCompatibilityVersion != nil {
		if next := spec.MinCompatibilityVersion.AddMinor(1); next.GreaterThan(since) {
			since = next
		}
	}
	line := row{"since": minorRelease(since), "stage": stageName(spec)}
	if spec.Default {
		line["on"] = true
	}
	if spec.LockToDefault {
		line["locked"] = true
	}
	return line
}

func minorRelease(v *version.Version) string {
	return version.MajorMinor(v.Major(), v.Minor()).String()
}

func stageName(spec featuregate.FeatureSpec) string {
	switch spec.PreRelease {
	case featuregate.Alpha:
		return "alpha"
	case featuregate.Beta:
		return "beta"
	case featuregate.GA:
		return "ga"
	case featuregate.Deprecated:
		return "deprecated"
	}
	log.Fatalf("unknown stage %q", spec.PreRelease)
	return ""
}
