// Writes the program that `pulumi import` prints: a request of the engine's protocol comes on standard input, its
// answer goes to standard output, both as protobuf. The engine leaves this to the language host, and the official one
// does it with the library that is called here.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/proto"
)

func main() {
	if err := answer(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func answer(from io.Reader, to io.Writer) error {
	sent, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	var request pulumirpc.GenerateProgramRequest
	if err = proto.Unmarshal(sent, &request); err != nil {
		return err
	}
	response, err := generate(&request)
	if err != nil {
		return err
	}
	answered, err := proto.Marshal(response)
	if err != nil {
		return err
	}
	_, err = to.Write(answered)
	return err
}

// Schemas of the packages come from the engine, which asks their plugins.
func generate(request *pulumirpc.GenerateProgramRequest) (*pulumirpc.GenerateProgramResponse, error) {
	loader, err := schema.NewLoaderClient(request.LoaderTarget)
	if err != nil {
		return nil, err
	}
	defer loader.Close()

	parser := syntax.NewParser()
	for path, text := range request.Source {
		if err = parser.ParseFile(strings.NewReader(text), path); err != nil {
			return nil, err
		}
	}
	if parser.Diagnostics.HasErrors() {
		return nil, parser.Diagnostics
	}
	options := []pcl.BindOption{pcl.PreferOutputVersionedInvokes}
	if !request.Strict {
		options = append(options, pcl.NonStrictBindOptions()...)
	}
	program, found, err := pcl.BindProgram(parser.Files, schema.NewCachedLoader(loader), options...)
	if err != nil {
		return nil, err
	}
	response := &pulumirpc.GenerateProgramResponse{Diagnostics: plugin.HclDiagnosticsToRPCDiagnostics(found)}
	if found.HasErrors() {
		return response, nil
	}
	files, found, err := nodejs.GenerateProgram(program)
	if err != nil {
		return nil, err
	}
	response.Source = files
	response.Diagnostics = append(response.Diagnostics, plugin.HclDiagnosticsToRPCDiagnostics(found)...)
	return response, nil
}
