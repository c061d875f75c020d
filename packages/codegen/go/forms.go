package main

// forms are the types whose JSON is not an object of their fields, by package and name. The fields
// given are those of the message; where none are, reflection finds them.
var forms = map[string]struct {
	form   string
	fields []row
}{
	"meta/v1.Time":          {"time", timestamp},
	"meta/v1.MicroTime":     {"microTime", timestamp},
	"meta/v1.Duration":      {"duration", []row{{"name": "duration", "type": "int64", "pb": 1}}},
	"meta/v1.FieldsV1":      {"raw", []row{{"name": "Raw", "type": "bytes", "pb": 1}}},
	"api/resource.Quantity": {"quantity", []row{{"name": "string", "type": "string", "pb": 1}}},
	"util/intstr.IntOrString": {"intOrString", []row{
		{"name": "type", "type": "int64", "pb": 1},
		{"name": "intVal", "type": "int32", "pb": 2},
		{"name": "strVal", "type": "string", "pb": 3},
	}},
	"runtime.RawExtension": {"raw", []row{{"name": "raw", "type": "bytes", "pb": 1}}},
}

var timestamp = []row{
	{"name": "seconds", "type": "int64", "pb": 1},
	{"name": "nanos", "type": "int32", "pb": 2},
}

func init() {
	for _, v := range []string{"apiextensions/v1", "apiextensions/v1beta1"} {
		for name, form := range map[string]string{
			"JSON": "raw", "JSONSchemaPropsOrBool": "schemaOrBool",
			"JSONSchemaPropsOrArray": "schemaOrArray", "JSONSchemaPropsOrStringArray": "schemaOrStrings",
		} {
			forms[v+"."+name] = struct {
				form   string
				fields []row
			}{form: form}
		}
	}
}
