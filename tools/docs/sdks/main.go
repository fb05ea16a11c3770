// Generates an SDK from a schema with the generators in the engine's Go module. Pulumi's language hosts are not required.
//
//	go run . SCHEMA LANGUAGE FOLDER
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// Prefix of the generator's name in generated files. Pulumi's language hosts write the same name.
const tool = "pulumi-language-"

// The schema refers to no other package, so the generators never load a package.
type noLoader struct{ schema.ReferenceLoader }

func generate(schemaFile, language string) (map[string][]byte, error) {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, noLoader{}, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	switch language {
	case "go":
		return golang.GeneratePackage(tool+language, pkg, nil)
	case "python":
		return python.GeneratePackage(tool+language, pkg, nil, nil)
	}
	return nil, fmt.Errorf("this generates go and python, not %s", language)
}

func run() error {
	if len(os.Args) != 4 {
		return fmt.Errorf("arguments: SCHEMA LANGUAGE FOLDER")
	}
	files, err := generate(os.Args[1], os.Args[2])
	if err != nil {
		return err
	}
	for name, text := range files {
		path := filepath.Join(os.Args[3], name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
