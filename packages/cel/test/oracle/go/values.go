package main

import (
	"encoding/base64"
	"fmt"
	"sort"
	"strconv"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// tagged names the type of a value that JSON has no form for.
func tagged(name string, value any) any {
	return map[string]any{name: value}
}

// fromValue returns a value in JSON: bools, strings, null and lists as they are, all others with the name of the type.
func fromValue(value ref.Val) any {
	switch one := value.(type) {
	case types.Null:
		return tagged("null", true)
	case types.Bool:
		return bool(one)
	case types.String:
		return string(one)
	case types.Int:
		return tagged("int", strconv.FormatInt(int64(one), 10))
	case types.Uint:
		return tagged("uint", strconv.FormatUint(uint64(one), 10))
	case types.Double:
		return tagged("double", strconv.FormatFloat(float64(one), 'e', -1, 64))
	case types.Bytes:
		return tagged("bytes", base64.StdEncoding.EncodeToString(one))
	case types.Duration:
		return tagged("duration", strconv.FormatInt(one.Duration.Nanoseconds(), 10))
	case types.Timestamp:
		return tagged("timestamp", one.Time.Format(time.RFC3339Nano))
	case *types.Type:
		return tagged("type", one.TypeName())
	case *types.Optional:
		if one.HasValue() {
			return tagged("optional", fromValue(one.GetValue()))
		}
		return tagged("none", true)
	}
	return fromObject(value)
}

func fromObject(value ref.Val) any {
	switch one := value.(type) {
	case apiservercel.IP:
		return tagged("ip", one.String())
	case apiservercel.CIDR:
		return tagged("cidr", one.String())
	case apiservercel.URL:
		return tagged("url", one.String())
	case apiservercel.Quantity:
		return tagged("quantity", one.String())
	case *apiservercel.Quantity:
		return tagged("quantity", one.String())
	case apiservercel.Semver:
		// Build metadata has no meaning.
		one.Build = nil
		return tagged("semver", one.String())
	case apiservercel.Format:
		return tagged("format", one.Name)
	case traits.Mapper:
		return fromMap(one)
	case traits.Lister:
		list := []any{}
		for it := one.Iterator(); it.HasNext() == types.True; {
			list = append(list, fromValue(it.Next()))
		}
		return list
	}
	return tagged("object", value.Type().TypeName())
}

// fromMap returns the entries in the order of their keys' texts.
func fromMap(value traits.Mapper) any {
	entries := [][2]any{}
	for it := value.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		entries = append(entries, [2]any{fromValue(key), fromValue(value.Get(key))})
	}
	sort.Slice(entries, func(i, j int) bool {
		return fmt.Sprint(entries[i][0]) < fmt.Sprint(entries[j][0])
	})
	return tagged("map", entries)
}
