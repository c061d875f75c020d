package main

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"k8s.io/apiserver/pkg/cel/library"
)

var simpleTypes = map[string]*cel.Type{
	"authorizer":    library.AuthorizerType,
	"bool":          cel.BoolType,
	"bytes":         cel.BytesType,
	"double":        cel.DoubleType,
	"duration":      cel.DurationType,
	"dyn":           cel.DynType,
	"int":           cel.IntType,
	"null":          cel.NullType,
	"resourceCheck": library.ResourceCheckType,
	"string":        cel.StringType,
	"timestamp":     cel.TimestampType,
	"uint":          cel.UintType,
}

// parseType reads "int", "list(string)", "map(string, dyn)".
func parseType(text string) (*cel.Type, error) {
	text = strings.TrimSpace(text)
	if known, ok := simpleTypes[text]; ok {
		return known, nil
	}
	if inner, ok := inside(text, "list("); ok {
		element, err := parseType(inner)
		if err != nil {
			return nil, err
		}
		return cel.ListType(element), nil
	}
	if inner, ok := inside(text, "map("); ok {
		keyText, valueText, _ := strings.Cut(inner, ",")
		key, err := parseType(keyText)
		if err != nil {
			return nil, err
		}
		value, err := parseType(valueText)
		if err != nil {
			return nil, err
		}
		return cel.MapType(key, value), nil
	}
	return nil, fmt.Errorf("unknown type %q", text)
}

func inside(text, start string) (string, bool) {
	inner, ok := strings.CutPrefix(text, start)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(inner, ")")
}

// toValue converts JSON by the declared type. Numbers may be texts; in a dyn, whole numbers are ints.
func toValue(declared *cel.Type, value any) (any, error) {
	switch declared.Kind() {
	case types.IntKind:
		return strconv.ParseInt(numberText(value), 10, 64)
	case types.UintKind:
		return strconv.ParseUint(numberText(value), 10, 64)
	case types.DoubleKind:
		return strconv.ParseFloat(numberText(value), 64)
	case types.BytesKind:
		return base64.StdEncoding.DecodeString(fmt.Sprint(value))
	case types.TimestampKind:
		return time.Parse(time.RFC3339Nano, fmt.Sprint(value))
	case types.DurationKind:
		return time.ParseDuration(fmt.Sprint(value))
	case types.StructKind:
		return toAuthorizer(declared, value)
	case types.ListKind:
		return toList(declared.Parameters()[0], value)
	case types.MapKind:
		return toMap(declared.Parameters(), value)
	case types.DynKind:
		return toDyn(value), nil
	default:
		return value, nil
	}
}

func numberText(value any) string {
	if number, ok := value.(float64); ok {
		return strconv.FormatFloat(number, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

func toList(element *cel.Type, value any) (any, error) {
	list, ok := value.([]any)
	if !ok {
		return nil, fmt.Errorf("%v is not a list", value)
	}
	result := make([]any, len(list))
	for i, one := range list {
		converted, err := toValue(element, one)
		if err != nil {
			return nil, err
		}
		result[i] = converted
	}
	return result, nil
}

func toMap(parameters []*cel.Type, value any) (any, error) {
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%v is not a map", value)
	}
	result := map[any]any{}
	for key, one := range object {
		convertedKey, err := toValue(parameters[0], key)
		if err != nil {
			return nil, err
		}
		if result[convertedKey], err = toValue(parameters[1], one); err != nil {
			return nil, err
		}
	}
	return result, nil
}

func toDyn(value any) any {
	switch one := value.(type) {
	case float64:
		if one == float64(int64(one)) {
			return int64(one)
		}
		return one
	case []any:
		result := make([]any, len(one))
		for i, element := range one {
			result[i] = toDyn(element)
		}
		return result
	case map[string]any:
		result := map[string]any{}
		for key, element := range one {
			result[key] = toDyn(element)
		}
		return result
	default:
		return value
	}
}
