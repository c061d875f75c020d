package main

import (
	"encoding/json"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

type gvk struct{ Group, Version, Kind string }

type discovery struct {
	Items []struct {
		Metadata struct{ Name string }
		Versions []struct {
			Version   string
			Resources []struct {
				Resource         string
				ResponseKind     gvk
				Scope            string
				SingularResource string
				ShortNames       []string
				Categories       []string
				Verbs            []string
				Subresources     []struct {
					Subresource  string
					ResponseKind gvk
					Verbs        []string
				}
			}
		}
	}
}

// resourceRows lists every resource in the order of discovery, which is that of preference; each is
// followed by its subresources (rows with "of").
func resourceRows(kubernetes string) []row {
	rows := coreRows(filepath.Join(kubernetes, "api/discovery/api__v1.json"))
	var all discovery
	readJSON(filepath.Join(kubernetes, "api/discovery/aggregated_v2.json"), &all)
	for _, group := range all.Items {
		for _, version := range group.Versions {
			gv := apiVersion(group.Metadata.Name, version.Version)
			for _, r := range version.Resources {
				rows = append(rows, resourceRow(gv, r.Resource, r.ResponseKind.Kind, r.Scope, r.SingularResource,
					r.Verbs, r.ShortNames, r.Categories))
				for _, s := range r.Subresources {
					rows = append(rows, subresourceRow(gv, r.Resource, s.Subresource, s.ResponseKind, s.Verbs))
				}
			}
		}
	}
	return rows
}

// coreRows reads the core group, which the aggregated document leaves out.
func coreRows(path string) []row {
	var core struct {
		Resources []struct {
			Name, SingularName, Kind, Group, Version string
			Namespaced                               bool
			Verbs, ShortNames, Categories            []string
		}
	}
	readJSON(path, &core)
	sort.SliceStable(core.Resources, func(i, j int) bool { return core.Resources[i].Name < core.Resources[j].Name })
	var rows []row
	for _, r := range core.Resources {
		scope := "Cluster"
		if r.Namespaced {
			scope = "Namespaced"
		}
		if of, name, ok := strings.Cut(r.Name, "/"); ok {
			rows = append(rows, subresourceRow("v1", of, name, gvk{r.Group, r.Version, r.Kind}, r.Verbs))
		} else {
			rows = append(rows, resourceRow("v1", r.Name, r.Kind, scope, r.SingularName, r.Verbs, r.ShortNames, r.Categories))
		}
	}
	return rows
}

func resourceRow(gv, name, kind, scope, singular string, verbs, shortNames, categories []string) row {
	line := row{
		"apiVersion": gv, "resource": name, "kind": kind, "scope": scope, "singular": singular, "verbs": verbs,
	}
	if len(shortNames) > 0 {
		line["shortNames"] = shortNames
	}
	if len(categories) > 0 {
		line["categories"] = categories
	}
	return line
}

// subresourceRow fills in the group-version of the body, which discovery leaves out where it is that
// of the resource.
func subresourceRow(gv, of, name string, body gvk, verbs []string) row {
	bodyVersion := gv
	if body.Version != "" {
		bodyVersion = apiVersion(body.Group, body.Version)
	}
	return row{
		"apiVersion": gv, "of": of, "resource": name, "kind": body.Kind, "bodyApiVersion": bodyVersion, "verbs": verbs,
	}
}

func apiVersion(group, version string) string {
	if group == "" {
		return version
	}
	return group + "/" + version
}

func readJSON(path string, into any) {
	text, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		log.Fatal(err)
	}
}
