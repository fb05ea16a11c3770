/** Replaces plugin/sdk-modules.ts in an archive, whose bundle contains the modules of the SDK. */
const modules = {
  "@grpc/grpc-js": () => require("@grpc/grpc-js"),
  "./proto/provider_grpc_pb.js": () => require("@pulumi/pulumi/proto/provider_grpc_pb.js"),
  "./proto/provider_pb.js": () => require("@pulumi/pulumi/proto/provider_pb.js"),
  "./proto/plugin_pb.js": () => require("@pulumi/pulumi/proto/plugin_pb.js"),
  "./proto/engine_grpc_pb.js": () => require("@pulumi/pulumi/proto/engine_grpc_pb.js"),
  "./proto/engine_pb.js": () => require("@pulumi/pulumi/proto/engine_pb.js"),
  "./proto/status_pb.js": () => require("@pulumi/pulumi/proto/status_pb.js"),
  "google-protobuf/google/protobuf/any_pb.js": () => require("google-protobuf/google/protobuf/any_pb.js"),
  "google-protobuf/google/protobuf/empty_pb.js": () => require("google-protobuf/google/protobuf/empty_pb.js"),
  "google-protobuf/google/protobuf/struct_pb.js": () => require("google-protobuf/google/protobuf/struct_pb.js"),
};

exports.sdkModules = () => (name) => modules[name]();
exports.MissingSdkError = class MissingSdkError extends Error {};
